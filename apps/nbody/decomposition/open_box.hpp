// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../types.hpp"

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/neighbors/box.hpp>

#include <cstdint>

namespace nbody {

// Particles move freely along open directions, also out of the box that the start has. Lists and bricks want particles
// between borders, so the box that they get reaches as far as the particles do. Nothing that is printed or written
// depends on that: no image is taken along an open direction, and its edge is no part of any distance.

/// How far particles reach along each direction, in upright coordinates of the box. Without particles lo > hi.
struct reach_of_particles {
  Kokkos::Array<double, 3> lo, hi;
};

bool is_open(upsweep::box<double> const& box);

/// Of the particles of all ranks, once wrapped: the same on any number of ranks. Collective.
/// Throws: input_error on all ranks, which names the step, where particles are more than box::farthest edges away from
/// the box in an open direction.
reach_of_particles find_reach(upsweep::mpi::communicator const& comm, space_type const& space,
                              upsweep::box<double> const& box, vectors const& positions, std::int64_t step);

/// The box with its open borders where they are, or, where particles lie beyond, a sixteenth of the new length behind
/// them, so that borders move seldom.
upsweep::box<double> widened(upsweep::box<double> const& box, reach_of_particles const& reach);

/// The box with its open borders box::farthest edges further out: what lies beyond has no place.
upsweep::box<double> with_farthest_borders(upsweep::box<double> const& box);

}  // namespace nbody
