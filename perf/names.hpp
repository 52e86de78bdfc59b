// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace perf {

/// Whether a selection holds a name; an empty one holds all.
inline bool chosen(std::vector<std::string> const& names, std::string const& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

/// Moves the elements of all lists behind those of `all`.
template <class T, class... Lists>
void append(std::vector<T>& all, Lists... lists) {
  (all.insert(all.end(), std::make_move_iterator(lists.begin()), std::make_move_iterator(lists.end())), ...);
}

}  // namespace perf
