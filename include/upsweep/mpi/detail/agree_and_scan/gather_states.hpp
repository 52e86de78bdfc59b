// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/internal/fingerprint.hpp>

#include <cstddef>
#include <vector>

namespace upsweep::mpi::detail {

/// The states of all ranks, `stride` bytes apart. Valid until the communicator's next call.
struct gathered_states {
  std::byte const* first = nullptr;
  std::size_t stride = 0;
  std::vector<std::byte> large;  ///< memory of states that do not fit in the communicator's records
};

inline constexpr char const* monoid_arguments = "types, operations or parameters of the monoid";

/// Gathers {status, fingerprint, state} of every rank. Where a rank failed or the fingerprints differ, all ranks throw:
/// "function: the ranks call with different what: ...".
/// One MPI_Allgather; for states above 48 bytes an agreement on memory and a second one. A rank that disagrees on the
/// type still gives a record of the same size, so it is found out by the fingerprint and not by MPI.
gathered_states gather_states(communicator const& comm, failure const& local, internal::fingerprint const& arguments,
                              void const* state, std::size_t state_bytes, char const* function,
                              char const* what = monoid_arguments);

}  // namespace upsweep::mpi::detail
