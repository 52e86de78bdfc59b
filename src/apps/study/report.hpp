// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "row.hpp"

#include <string>

namespace study {

/// The rows as lines of text for people: what was counted, and in brackets what the source says.
std::string table(rows const& all);

/// The rows as comma-separated values with a header line; empty where there is no figure.
std::string csv(rows const& all);

/// Writes text to a file; "-" is standard output. Throws std::runtime_error naming the file.
void write(std::string const& file, std::string const& text);

/// Draws operations and span of the team algorithms against N as SVG with gnuplot. Throws std::runtime_error.
void plot(std::string const& file, rows const& all);

}  // namespace study
