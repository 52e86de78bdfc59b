// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace upsweep::io::detail {

/// Moves row order[i] to place i; a row has `width` values.
template <class T>
void reorder(std::vector<T>& values, std::vector<std::size_t> const& order, std::size_t width) {
  std::vector<T> sorted(values.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(width * order[i]), width,
                sorted.begin() + static_cast<std::ptrdiff_t>(width * i));
  values = std::move(sorted);
}

}  // namespace upsweep::io::detail
