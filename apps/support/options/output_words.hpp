// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "options.hpp"
#include "output_options.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace apps {

/// --force, for a program that writes files. also_replaced completes its help: "; a trajectory, too".
void add_force_word(CLI::App& app, bool& force, std::string const& also_replaced = "");

/// Throws: bad_option for --force where no file is written.
void require_use_of_force(bool force, bool writes_files);

/// The options of a program that writes a report and perhaps more, while its command line is read: --report, --force
/// and --no-progress. `into` gets them. also_replaced: as for add_force_word.
void add_output_words(CLI::App& app, output_options& into, std::string const& also_replaced = "");

/// The same where a report may be written, too.
void require_use_of_force(output_options const& o, bool writes_other_files);

}  // namespace apps
