// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "types.hpp"

#include <upsweep/neighbors/box.hpp>

#include <vector>

namespace surface {

/// The density of particles on a grid: at each point the sum of (1 - r^2 / radius^2)^3 over the particles within
/// `radius`. One particle alone has 1 at its centre, and is above 0.5 up to 0.454 radius.
///
/// Along a periodic edge of the box the grid goes from face to face, with the spacing that is nearest to `spacing` and
/// divides the edge; its last layer is its first one again, so that surfaces of neighbouring boxes meet. In an open
/// direction it holds all particles with their radius around them, so that no surface reaches its border there.
/// Cost: a neighbour list of 2^19 grid points at a time. Sums are in the order of the list: the same in each run.
/// Pre: positions are finite; a box that is open in some directions, but not in all, does not lean.
/// Throws: input_error for a grid of too many points; precondition_error for positions too many boxes away;
/// out_of_memory_error.
field<double> density(space_type const& space, std::vector<double> const& positions, upsweep::box<double> const& box,
                      double radius, double spacing);

}  // namespace surface
