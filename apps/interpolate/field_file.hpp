// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace interpolate {

/// Replaces the .npy file at `path` by an array of this shape, behind a header of 1024 bytes. Headers have no room for
/// the name of a program, but any number of blanks at their end; NumPy fills up to a multiple of 64 bytes, mostly 128.
/// By this length the program knows its own fields, which it may replace. NumPy's header is short again where another
/// array is saved under the name. Throws: output_error.
void write_field(std::string const& path, std::span<double const> values, std::vector<std::uint64_t> const& shape);

/// Whether the file at `path` starts as those of write_field do.
bool is_field(std::string const& path);

}  // namespace interpolate
