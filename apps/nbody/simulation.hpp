// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "options.hpp"

#include <upsweep/mpi/communicator.hpp>

namespace nbody {

/// Runs what the options ask for; rank 0 prints. Collective; throws on all ranks alike.
void run(upsweep::mpi::communicator const& comm, options const& o);

}  // namespace nbody
