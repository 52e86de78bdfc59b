// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../neighbor_positions.hpp"
#include "../types.hpp"
#include "lennard_jones.hpp"

#include <upsweep/neighbors/neighbor_rows.hpp>

namespace nbody {

/// Forces on the particles that have rows. positions has the rows of ghosts too, shifted to their images. The
/// force does not depend on the order of a row's neighbours (force_grid.hpp); it is not a number where two
/// particles are at one place. Rows: upsweep::neighbor_rows<>, or chosen_rows<> for some of them.
template <class Rows>
void compute_forces(space_type const& space, Rows const& rows, neighbor_positions const& positions,
                    lennard_jones const& pair, vectors const& forces);

}  // namespace nbody
