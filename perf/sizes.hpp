// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perf {

/// Reads sizes: "1000,2^20" is a list; "2^10..2^30" counts up by factors of 4, "2^10..2^30*2" by factors of 2.
/// Throws apps::bad_option, naming what it could not read.
std::vector<std::size_t> parse_sizes(std::string const& text);

}  // namespace perf
