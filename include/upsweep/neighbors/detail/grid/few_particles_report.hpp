// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

// Lists of few particles on GPUs. What they cost is not work, it is launches, waits for them, and loads that follow one
// on the other. So one launch bins particles in scratch memory, and another finds, counts and writes rows, a warp each.
// Rows are written before the host knows how many pairs there are, into the memory of the list before: it waits once,
// and only where that memory was too small it takes more, and writes again.
//
// H200, 2026-11-23, whole builds in double, 78 neighbours, periodic, us: 500 particles 35, 1000 33, 4000 53 (bins 15,
// rows 38); open boxes 44, 47, 59, whose grid a thread lays out. With two waits, distances computed twice and counts of
// cells in global memory 84, 78, 133; with masks (nine launches, three waits) 142, 138, 149. H100, 2026-11-28: 128
// particles 67, 500 36 with a warp for each row; 32, 31 where warps of a team share a row.

/// What the host has to know of such a list. Written on the device.
template <class Real>
struct few_particles_report {
  grid_layout<Real> layout;
  std::uint64_t bad = 0;  ///< the complement of the first particle that cannot be used; 0 for none
  std::uint64_t pairs = 0, largest_row = 0;

  /// Whether there is no list.
  KOKKOS_FUNCTION bool failed() const { return bad != 0 || layout.reaches_too_far(); }
};

}  // namespace upsweep::neighbors::detail
