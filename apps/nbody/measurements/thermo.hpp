// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../atoms.hpp"
#include "../forces/forces.hpp"
#include "../forces/interaction.hpp"
#include "../decomposition/neighbors.hpp"
#include "thermo_row.hpp"

#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <cstdint>

namespace nbody {

/// Measures the system. The sums' association is fixed by the particles' order on each rank and the ranks' order, so a
/// repeated run gives the same bits. Collective; throws on all ranks alike.
thermo_row measure(upsweep::mpi::communicator const& comm, space_type const& space, upsweep::workspace& workspace,
                   atoms const& a, neighborhood const& near, interaction const& pair, std::int64_t n, double volume,
                   std::int64_t step);

}  // namespace nbody
