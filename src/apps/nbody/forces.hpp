// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "lennard_jones.hpp"
#include "types.hpp"

#include <cstddef>

namespace nbody {

/// A neighbour list as the loops read it: pointers, so that they stay in registers.
struct list_rows {
  std::size_t const* offsets;
  int const* neighbors;
};

/// Forces on the particles that have rows. positions has the rows of ghosts too, shifted to their images, and one more
/// row that is beyond the cutoff of everything. The force does not depend on the order of a row's neighbours
/// (force_grid.hpp); it is not a number where two particles are at one place.
void compute_forces(space_type const& space, std::size_t n, list_rows const& list, padded_vectors const& positions,
                    lennard_jones const& pair, vectors const& forces);

/// Puts the extra row of compute_forces behind `n` positions.
void place_far_row(space_type const& space, padded_vectors const& positions, std::size_t n);

}  // namespace nbody
