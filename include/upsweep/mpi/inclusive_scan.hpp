// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/agree_and_scan/scan_call.hpp>

namespace upsweep::mpi {

/// Inclusive scan over the elements of all ranks, in rank order: rank 0 with 4 3 and rank 1 with 7 9 get 4 7 and 14 23.
///
/// Pre, Cost, Order, Sync, Throws, Source: as mpi::exclusive_scan.
template <class ExecutionSpace, class In, class Out, monoid_argument Monoid = plus<>, class Engine = engine::automatic>
void inclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                    Monoid const& monoid = {}, basic_scan_options<Engine> const& options = {}) {
  detail::scan_call<true>(comm, space, local_in, local_out, monoid, options, "mpi::inclusive_scan");
}

}  // namespace upsweep::mpi
