// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../checkpoint/checkpoint.hpp"
#include "../options.hpp"
#include "../types.hpp"
#include "run_start.hpp"

#include <upsweep/mpi/communicator.hpp>
#include <upsweep/neighbors/box.hpp>

namespace nbody {

/// The particles to start from: every rank gets an even range of ids, wherever they are in the box. checkpoint: that of
/// --restart, or null. Collective; throws on all ranks alike.
run_start read_or_make_start(upsweep::mpi::communicator const& comm, space_type const& space, options const& o,
                             checkpoint_reader const* checkpoint);

/// Reads the file of --pair-coefficients, and checks that coefficients, --pair, --cutoff and --half go together.
/// Collective; throws on all ranks alike.
void read_pair_coefficients(upsweep::mpi::communicator const& comm, options& o);

/// An fcc crystal whose velocities follow from seed and id alone, so they are the same bits on any number of ranks.
upsweep::mpi::particle_piece make_fcc(upsweep::mpi::communicator const& comm, space_type const& space,
                                      options const& o);

/// The box of the particles. Throws: precondition_error where its tilt is too large.
upsweep::box<double> box_of(upsweep::particle_data const& data);

}  // namespace nbody
