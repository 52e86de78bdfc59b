// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../atoms.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <cstdint>

namespace nbody {

/// The sum mod 2^64 over all particles of a hash of id, position and velocity, bit by bit: equal for equal states,
/// whatever the number of ranks and the order of particles on them. Positions are wrapped, as after a rebuild of the
/// list. Collective; the same number on all ranks.
std::uint64_t state_hash(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a);

}  // namespace nbody
