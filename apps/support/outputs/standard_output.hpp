// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../options/command_line.hpp"

#include <string>
#include <string_view>

namespace apps {

/// Call it first in main: where a standard stream is closed, the next file or socket that is opened would get its
/// number, and what is printed would go there. Takes the free numbers by something that cannot be written, so that
/// printing fails.
void occupy_closed_streams();

/// Writes a text to standard output and waits until the system has taken it.
/// Throws: output_error where not all of it was taken, such as on a full disk.
void print(std::string_view text);

/// The same for what other functions have written to stdout.
void flush_standard_output();

/// Prints help, version or what was wrong, where the program does not proceed. Returns its exit code.
int answer(std::string const& program, command_line const& line);

/// A line "program: what" on standard error. `what` may quote options, files and their names: it is made printable.
void complain(std::string const& program, std::string const& what);

/// The same. Returns the exit code of bad input.
int refuse(std::string const& program, std::string const& what);

}  // namespace apps
