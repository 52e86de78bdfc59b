// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace upsweep {

/// The boxes of a batch from arrays of edges: `auto const boxes = boxes_of_edges(cells, periodic);`
///
/// cells: a View (systems, 3, 3) that the CPU can read; row k of a system is its edge k, as ASE's `cell`. periodic: a
/// View (systems, 3) of bools, or of integers that are not 0 where a direction is periodic. Origins are 0.
/// Throws: precondition_error naming the first system that box::of_edges() refuses, and why; extents.
template <class Cells, class Periodic>
auto boxes_of_edges(Cells const& cells, Periodic const& periodic) {
  static_assert(compat::rank<Cells> == 3 && compat::rank<Periodic> == 2,
                "upsweep::boxes_of_edges: cells is a View (systems, 3, 3), periodic a View (systems, 3).");
  static_assert(Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Cells::memory_space>::accessible &&
                    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Periodic::memory_space>::accessible,
                "upsweep::boxes_of_edges: the CPU reads cells and periodic.");
  constexpr char const* function = "boxes_of_edges";
  using box_type = box<typename Cells::non_const_value_type>;
  std::size_t const systems = cells.extent(0);
  internal::require(cells.extent(1) == 3 && cells.extent(2) == 3, function, "cells needs extents (systems, 3, 3)");
  internal::require(periodic.extent(0) == systems && periodic.extent(1) == 3, function,
                    [&] { return "periodic needs extents (" + std::to_string(systems) + ", 3)"; });
  std::vector<box_type> boxes;
  boxes.reserve(systems);
  for (std::size_t b = 0; b < systems; ++b) {
    auto const edge = [&](int k) { return typename box_type::vector{cells(b, k, 0), cells(b, k, 1), cells(b, k, 2)}; };
    try {
      boxes.push_back(box_type::of_edges(
          edge(0), edge(1), edge(2),
          {static_cast<bool>(periodic(b, 0)), static_cast<bool>(periodic(b, 1)), static_cast<bool>(periodic(b, 2))}));
    } catch (precondition_error const& e) {
      throw precondition_error(std::string(function) + ": system " + std::to_string(b) + ": " + e.what());
    }
  }
  return boxes;
}

}  // namespace upsweep
