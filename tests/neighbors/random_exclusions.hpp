// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../oracle/brute_force.hpp"

#include <cstddef>

namespace oracle {

/// Each of the rows excludes up to `most` of n particles; pick(lo, hi) is a random number from lo to hi.
template <class Pick>
void add_exclusions(pair_rules& rules, std::size_t rows, std::size_t n, int most, Pick const& pick) {
  rules.excluded_offsets = {0};
  for (std::size_t i = 0; i < rows; ++i) {
    for (int k = pick(0, most); k > 0; --k)
      rules.excluded_ids.push_back(rules.id(static_cast<std::size_t>(pick(0, static_cast<int>(n) - 1))));
    rules.excluded_offsets.push_back(rules.excluded_ids.size());
  }
}

}  // namespace oracle
