// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../oracle/brute_force.hpp"
#include "../oracle/views.hpp"
#include "boxes.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace oracle {

template <class Real>
using positions_view = Kokkos::View<Real* [3], Kokkos::LayoutRight, memory>;

template <class Real>
positions_view<Real> to_positions(std::vector<std::array<Real, 3>> const& x) {
  positions_view<Real> const view(Kokkos::view_alloc(Kokkos::WithoutInitializing, "positions"), x.size());
  copy_to_device(view.data(), x.data(), x.size() * sizeof(x[0]));
  return view;
}

template <class Real>
std::vector<std::vector<neighbor>> sorted_brute_force(std::vector<std::array<Real, 3>> const& x,
                                                      cell_box<Real> const& box, Real cutoff) {
  auto rows = brute_force(x, box, cutoff);
  for (auto& row : rows) std::sort(row.begin(), row.end());
  return rows;
}

}  // namespace oracle
