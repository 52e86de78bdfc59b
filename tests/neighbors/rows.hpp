// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Rows on the host and as compressed rows on the device.

#include "../oracle/views.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace oracle {

using rows_of = std::vector<std::vector<int>>;

/// n rows of lo to hi neighbours, each below `below`.
inline rows_of random_rows(std::size_t n, int lo, int hi, int below = 1000) {
  std::mt19937_64 engine(n + 1);
  std::uniform_int_distribution<int> length(lo, hi), pick(0, below - 1);
  rows_of rows(n);
  for (auto& row : rows) {
    row.resize(std::size_t(length(engine)));
    for (int& j : row) j = pick(engine);
  }
  return rows;
}

/// n rows of neighbours below n: short ones, long ones (more than any vector or warp) and empty ones. Pre: n >= 60.
inline rows_of rows_of_all_lengths(std::size_t n) {
  rows_of rows = random_rows(n, 0, 90, static_cast<int>(n));
  for (std::size_t i = 40; i < 60; ++i) rows[i].clear();
  return rows;
}

/// A choice of rows, and their numbers below n, the last one first.
inline bool is_chosen(std::size_t row) { return row % 3 == 1; }
inline std::vector<std::size_t> chosen_rows(std::size_t n) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = n; i-- > 0;)
    if (is_chosen(i)) chosen.push_back(i);
  return chosen;
}

template <class Offset, class Neighbor>
struct device_rows {
  Kokkos::View<Offset*, memory> offsets;
  Kokkos::View<Neighbor*, memory> neighbors;
};

template <class Offset, class Neighbor>
device_rows<Offset, Neighbor> to_crs(rows_of const& rows) {
  std::vector<Offset> offsets{0};
  std::vector<Neighbor> neighbors;
  for (auto const& row : rows) {
    for (int const j : row) neighbors.push_back(static_cast<Neighbor>(j));
    offsets.push_back(static_cast<Offset>(neighbors.size()));
  }
  return {to_device(offsets), to_device(neighbors)};
}

}  // namespace oracle
