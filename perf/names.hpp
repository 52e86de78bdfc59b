// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace perf {

/// Whether a selection holds a name; an empty one holds all.
inline bool chosen(std::vector<std::string> const& names, std::string const& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace perf
