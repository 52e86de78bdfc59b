// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "row.hpp"

#include <string>

namespace study {

/// The rows as lines of text for people: what was counted, and in brackets what the source says.
std::string table(rows const& all);

/// The rows as comma-separated values with a header line; empty where there is no figure. The last
/// column is the program's version, under its name, by which require_own_output knows the file.
std::string csv(rows const& all);

/// Draws operations and span of the team algorithms against N as SVG with gnuplot. Replaces the file when the
/// drawing is complete. Throws output_error or std::runtime_error.
void plot(std::string const& file, rows const& all);

}  // namespace study
