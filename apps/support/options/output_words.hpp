// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "options.hpp"
#include "output_options.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace apps {

/// The options of a program that writes files, while its command line is read: --report, --force and --no-progress.
/// `into` gets them. also_replaced completes the help of --force: "; a trajectory, too".
void add_output_words(CLI::App& app, output_options& into, std::string const& also_replaced = "");

/// Throws: bad_option for --force where nothing but, perhaps, a report is written, and the report is no file.
void require_use_of_force(output_options const& o, bool writes_other_files);

}  // namespace apps
