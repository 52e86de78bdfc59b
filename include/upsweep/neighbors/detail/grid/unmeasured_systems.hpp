// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// A batch whose systems no launch has measured: what a kernel reads that checks particles and lays out grids itself,
/// and what it notes of them.
template <class Real>
struct unmeasured_systems {
  strided_positions<Real> positions;
  std::int64_t particles;
  std::int64_t const* offsets;  ///< of systems; may be wrong
  box<Real> const* boxes;
  int count;
  Real cutoff, cutoff_squared;
  /// Of each system. Known where an earlier build of these systems has noted them; they change where a direction is
  /// open.
  grid_geometry<Real>* grids;
  bool grids_are_known;
  int* of_particle;  ///< the system of each particle, to be noted; null where that is known
};

}  // namespace upsweep::neighbors::detail
