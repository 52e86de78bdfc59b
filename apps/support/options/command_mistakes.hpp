// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace apps {

/// What is wrong with a command line that CLI11 has refused, in the words of our programs: "--step: expected an option
/// of upsweep-nbody". The kind of error decides, since CLI11's texts differ from version to version. arguments: as on
/// the command line. lacks: what every run needs and this one does not have, which is said before what an option needs.
std::string command_mistake(CLI::App const& app, std::vector<std::string> const& arguments, CLI::ParseError const& e,
                            std::string const& lacks);

}  // namespace apps
