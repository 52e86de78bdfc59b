// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../decomposition/neighbors.hpp"
#include "../rows/kept_rows.hpp"
#include "../types.hpp"
#include "lennard_jones.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <cstdint>

namespace nbody {

/// Forces from half lists, with the bits of compute_forces on full ones. Each pair is met once and adds to both of its
/// particles. A pair across a border of bricks is measured from both sides, since the two round differently. What
/// ghosts have got is added to their owners' forces. Forces are whole numbers of spacings of the force grid
/// (force_grid.hpp), added as integers, so that the order does not matter.
class half_forces {
 public:
  /// Memory for the particles and ghosts of a list. Local.
  void reserve(space_type const& space, neighborhood const& near);

  /// Collective. Nearly always one pass over the pairs; where forces of a particle are too strong for the finest grid,
  /// another one for each coarser grid.
  void compute(upsweep::mpi::communicator const& comm, space_type const& space, neighborhood& near,
               lennard_jones const& pair, vectors const& forces);

  /// Sums of a particle: three components, the sizes of terms (s of force_grid.hpp), and terms that say that the grid
  /// is too fine.
  using sums = Kokkos::View<std::int64_t* [5], Kokkos::LayoutRight, memory_space>;

 private:
  kept_rows<sums> sums_;
  kept_rows<scalars> units_;  // of the grid of each particle and ghost; 0: its force is known
};

}  // namespace nbody
