// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "options.hpp"
#include "trajectory/trajectory_record.hpp"

#include <upsweep/mpi/communicator.hpp>

namespace nbody {

/// Refuses, before the long work begins, outputs that could not be written after it: two outputs at one place, an
/// output where an input is, files that cannot be replaced, and files that a checkpoint or a trajectory must not
/// replace. record: of the checkpoint that the run goes on from, or null. Collective; throws on all ranks alike.
void prepare_outputs(upsweep::mpi::communicator const& comm, options const& o, trajectory_record const* record);

}  // namespace nbody
