// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Lists on the host, for tests that compare a narrowed list with a fresh one.

#include "lists.hpp"

#include <upsweep/neighbors/narrowed_list.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace narrowing {

template <class Real>
using points = std::vector<std::array<Real, 3>>;
template <class Real>
using list_type = upsweep::neighbor_list<oracle::space, Real>;
template <class Real>
using narrowed_type = upsweep::narrowed_list<oracle::space, Real>;

/// A list as it is: offsets, neighbours, and images in the order in which they are sorted.
struct plain_list {
  std::vector<std::size_t> offsets;
  std::vector<int> neighbors;
  std::vector<std::array<int, 3>> images;

  friend bool operator==(plain_list const&, plain_list const&) = default;
};

template <class List>
plain_list to_plain(List const& list) {
  plain_list result{oracle::to_host(list.offsets()), oracle::to_host(list.neighbors()), {}};
  for (upsweep::image const s : oracle::to_host(list.pair_images().view()))
    result.images.push_back({s.z(), s.y(), s.x()});
  return result;
}

inline auto to_table(std::vector<double> const& entries, std::size_t n) {
  Kokkos::View<double**, Kokkos::LayoutRight, oracle::memory> const table("table", n, n);
  auto const host = Kokkos::create_mirror_view(table);
  for (std::size_t k = 0; k < n * n; ++k) host.data()[k] = entries[k];
  Kokkos::deep_copy(table, host);
  return table;
}

}  // namespace narrowing
