// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>
#include <vector>

namespace oracle {

/// Inclusive segmented sums behind `prefix`, by the windows of window_scan.hpp, which end at a head: w[i] of 2 L
/// elements is w[i - L] + w[i] of L ones where none of the last L is a head; a result is a window behind the result a
/// block before.
template <class T>
std::vector<T> scan_by_windows(std::vector<T> const& in, std::vector<bool> const& heads, T prefix) {
  constexpr std::size_t block = 64 / sizeof(T);
  std::size_t const n = in.size();
  auto const has_head = [&](std::size_t i, std::size_t length) {
    for (std::size_t k = 0; k < length && k <= i; ++k)
      if (heads[i - k]) return true;
    return false;
  };
  auto results = in;
  for (std::size_t length = 1; length < block; length *= 2) {
    auto const narrow = results;
    for (std::size_t i = length; i < n; ++i)
      if (!has_head(i, length)) results[i] = narrow[i - length] + narrow[i];
  }
  for (std::size_t i = 0; i < n; ++i)
    if (!has_head(i, block)) results[i] = (i < block ? prefix : results[i - block]) + results[i];
  return results;
}

}  // namespace oracle
