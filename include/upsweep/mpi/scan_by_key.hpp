// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/mpi/detail/agree_and_scan/segmented_call.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>

namespace upsweep::mpi {

/// An inclusive scan over the elements of all ranks, in rank order, that restarts where a key differs from the one
/// before, on its rank or as the last key of a rank below: values 1 2 | 3 4 with keys 7 7 | 7 5 and == give 1 3 | 6 4.
///
/// Pre: equal(left, right) says whether keys are the same: alike on all ranks, and on the host, too. Keys are trivially
/// copyable. The rest as mpi::segmented_inclusive_scan.
/// Cost: as there, with two reads of keys for each of a flag, and keys in the record: two MPI_Allgather and an
/// agreement where a state and two keys are above 40 bytes.
/// Aliasing: in and out may be the same range; keys and out may not overlap.
/// Order, Sync, Throws, Source: as there.
template <execution_space_argument ExecutionSpace, class Keys, class In, class Out, monoid_argument Monoid,
          detail::equality_of<Keys> Equal, class Engine = engine::automatic>
void inclusive_scan_by_key(communicator const& comm, ExecutionSpace const& space, Keys const& keys, In const& local_in,
                           Out const& local_out, Monoid const& monoid, Equal const& equal,
                           basic_scan_options<Engine> const& options = {}) {
  detail::key_marks<Keys, Equal> const marks{keys, equal};
  detail::segmented_call<true>(comm, space, local_in, marks, local_out, monoid, options, "mpi::inclusive_scan_by_key");
}

/// The same with ==. Without a monoid it is plus<>.
template <execution_space_argument ExecutionSpace, class Keys, class In, class Out, monoid_argument Monoid,
          class Engine = engine::automatic>
void inclusive_scan_by_key(communicator const& comm, ExecutionSpace const& space, Keys const& keys, In const& in,
                           Out const& out, Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  mpi::inclusive_scan_by_key(comm, space, keys, in, out, monoid, equal_keys{}, options);
}
template <execution_space_argument ExecutionSpace, class Keys, class In, class Out, class Engine = engine::automatic>
void inclusive_scan_by_key(communicator const& comm, ExecutionSpace const& space, Keys const& keys, In const& in,
                           Out const& out, basic_scan_options<Engine> const& options = {}) {
  mpi::inclusive_scan_by_key(comm, space, keys, in, out, plus<>{}, equal_keys{}, options);
}

/// The exclusive form, with the identity where a segment starts, and a comparison of one's own: values 1 2 | 3 4 with
/// keys 7 7 | 7 5 and == give 0 1 | 3 0. The rest as the inclusive form.
template <execution_space_argument ExecutionSpace, class Keys, class In, class Out, monoid_argument Monoid,
          detail::equality_of<Keys> Equal, class Engine = engine::automatic>
void exclusive_scan_by_key(communicator const& comm, ExecutionSpace const& space, Keys const& keys, In const& local_in,
                           Out const& local_out, Monoid const& monoid, Equal const& equal,
                           basic_scan_options<Engine> const& options = {}) {
  detail::segmented_call<false>(comm, space, local_in, detail::key_marks<Keys, Equal>{keys, equal}, local_out, monoid,
                                options, "mpi::exclusive_scan_by_key");
}

/// The same with ==. Without a monoid it is plus<>.
template <execution_space_argument ExecutionSpace, class Keys, class In, class Out, monoid_argument Monoid,
          class Engine = engine::automatic>
void exclusive_scan_by_key(communicator const& comm, ExecutionSpace const& space, Keys const& keys, In const& in,
                           Out const& out, Monoid const& monoid, basic_scan_options<Engine> const& options = {}) {
  mpi::exclusive_scan_by_key(comm, space, keys, in, out, monoid, equal_keys{}, options);
}
template <execution_space_argument ExecutionSpace, class Keys, class In, class Out, class Engine = engine::automatic>
void exclusive_scan_by_key(communicator const& comm, ExecutionSpace const& space, Keys const& keys, In const& in,
                           Out const& out, basic_scan_options<Engine> const& options = {}) {
  mpi::exclusive_scan_by_key(comm, space, keys, in, out, plus<>{}, equal_keys{}, options);
}

UPSWEEP_WITHOUT_COMMUNICATOR(inclusive_scan_by_key)
UPSWEEP_WITHOUT_COMMUNICATOR(exclusive_scan_by_key)

}  // namespace upsweep::mpi
