// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/into_and_from.hpp>
#include <upsweep/mpi/detail/agree_and_scan/scan_call.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>

namespace upsweep::mpi {

/// Inclusive scan over the elements of all ranks, in rank order: rank 0 with 4 3 and rank 1 with 7 9 get 4 7 and 14 23.
///
/// Pre, Cost, Order, Sync, Throws, Source: as mpi::exclusive_scan.
template <execution_space_argument ExecutionSpace, class In, class Out, class Engine = engine::automatic>
void inclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                    basic_scan_options<Engine> const& options = {}) {
  detail::scan_call<true>(comm, space, local_in, local_out, options, "mpi::inclusive_scan");
}

/// The same with into{total}, init and a monoid behind the output, as mpi::exclusive_scan takes them: with init 10,
/// 4 3 | 7 9 give 14 17 | 24 33 and the total 33.
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument First,
          class Engine = engine::automatic>
void inclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                    First const& first, basic_scan_options<Engine> const& options = {}) {
  detail::scan_call<true>(comm, space, local_in, local_out, options, "mpi::inclusive_scan", first);
}
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument First, scan_argument Second,
          class Engine = engine::automatic>
void inclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                    First const& first, Second const& second, basic_scan_options<Engine> const& options = {}) {
  detail::scan_call<true>(comm, space, local_in, local_out, options, "mpi::inclusive_scan", first, second);
}
template <execution_space_argument ExecutionSpace, class In, class Out, scan_argument First, scan_argument Second,
          scan_argument Third, class Engine = engine::automatic>
void inclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                    First const& first, Second const& second, Third const& third,
                    basic_scan_options<Engine> const& options = {}) {
  detail::scan_call<true>(comm, space, local_in, local_out, options, "mpi::inclusive_scan", first, second, third);
}

UPSWEEP_WITHOUT_COMMUNICATOR(inclusive_scan)

}  // namespace upsweep::mpi
