// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/redistribution.hpp>

namespace upsweep::mpi {

/// Row i of every View goes to rank destinations(i); the Views become new ones that hold the rows received:
/// `redistribute(comm, space, destinations, positions, ids);` For one call; what happens in every step is a
/// redistribution, which keeps its memory.
///
/// Pre, Order, Sync, Throws: as redistribution::run.
/// Cost: as the first call of a redistribution. The new Views have no more memory than their rows take. A rank that no
/// row leaves or reaches keeps its Views.
template <execution_space_argument ExecutionSpace, view_of_rank_1 Destinations, detail::view_of_rows... Views>
void redistribute(communicator const& comm, ExecutionSpace const& space, Destinations const& destinations,
                  Views&... views) {
  detail::row_carrier<ExecutionSpace> once(detail::row_carrier<ExecutionSpace>::memory::exact);
  detail::redistribute_call(once, comm, space, destinations, views...);
}

UPSWEEP_WITHOUT_COMMUNICATOR(redistribute)

}  // namespace upsweep::mpi
