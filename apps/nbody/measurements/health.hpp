// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../decomposition/neighbors.hpp"
#include "thermo.hpp"

#include <upsweep/mpi/communicator.hpp>
#include <upsweep/neighbors/box.hpp>

#include <cstdint>
#include <string>

namespace nbody {

/// Refuses to go on where numbers are no longer physics. A line of the table is good when all its numbers are finite,
/// and the total energy a particle has changed since step 0 by at most 1000 times the largest of three: its size at
/// step 0, the kinetic energy at step 0, and 1, the depth of the pair potential. An integrator that works keeps the
/// total energy to a small part of that, also from a crystal at temperature 0 or where potential and kinetic energy
/// cancel at the start.
/// Pre: all ranks have the same rows. Collective.
/// `overlap` is find_overlap's, for energies that have grown.
/// Throws: input_error on all ranks, which names the step and, where one is at fault, the particle of lowest id, by its
/// number in frames, from 1: two particles at one place, or a position or velocity that is not finite.
void require_good(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a,
                  neighborhood const& near, thermo_row const& start, thermo_row const& now, std::string const& overlap);

/// Two particles of a start that are nearer than a tenth of the length unit, as words for later messages: "particles 1
/// and 2 overlap at step 0, 0.05 apart". A run from such a start seldom has a time step that is short enough, and may
/// go on where it has. Empty where there are none, or where the potential energy is less than that of one such pair of
/// the Lennard-Jones kind: then no pair is looked at, so good starts cost nothing.
/// Collective.
std::string find_overlap(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a,
                         neighborhood const& near, thermo_row const& start, std::int64_t particles);

/// For a drift that may have taken a particle to no number or out of the box's reach, before a list is built: no list
/// can be, with --keep-going neither. The reach is box::farthest edges, in open directions, too. `largest` is what the
/// farthest particle moved since the last list. Looks at the particles only where one has moved farther than a periodic
/// edge of the box (of one without, farther than any edge), so good steps cost nothing. `overlap` is find_overlap's.
/// Collective. Throws: input_error, as require_good does.
void require_places(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a,
                    upsweep::box<double> const& box, double largest, std::int64_t step, std::string const& overlap);

}  // namespace nbody
