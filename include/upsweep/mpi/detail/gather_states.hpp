// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/detail/fingerprint.hpp>

#include <cstddef>
#include <cstring>
#include <vector>

namespace upsweep::mpi::detail {

/// One MPI_Allgather of {status, fingerprint, state}: the states of all ranks, `stride` bytes apart. Where a rank
/// failed or the fingerprints differ, all ranks throw.
struct gathered_states {
  std::vector<std::byte> records;
  std::size_t stride = 0;
  std::size_t first = 0;
};
gathered_states gather_states(communicator const& comm, failure const& local, fingerprint const& arguments,
                              void const* state, std::size_t state_bytes, char const* function);

/// The states of all ranks below this one, folded left to right, behind the identity.
template <class Monoid>
typename Monoid::value_type prefix_of_ranks(communicator const& comm, failure const& local,
                                            fingerprint const& arguments, Monoid const& monoid,
                                            typename Monoid::value_type const& state, char const* function) {
  auto const all = gather_states(comm, local, arguments, &state, sizeof(state), function);
  typename Monoid::value_type prefix = monoid.identity();
  for (int r = 0; r < comm.rank(); ++r) {
    typename Monoid::value_type left;
    std::memcpy(&left, all.records.data() + static_cast<std::size_t>(r) * all.stride + all.first, sizeof(left));
    prefix = monoid(prefix, left);
  }
  return prefix;
}

}  // namespace upsweep::mpi::detail
