// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/internal/fingerprint.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace upsweep::mpi::detail {

/// What all ranks know after announce_rows.
struct announced_rows {
  bool any = false;             ///< rows leave some rank
  std::size_t most = 0;         ///< no more rows than these arrive here: those that leave the others
  bool room_everywhere = true;  ///< each rank has room for all rows that leave the others: none has to take memory
};

/// Before rows move: how each rank fared, how many rows it has for each other, and how many more it has room for
/// (negative: too few even without arrivals), in one MPI_Alltoall of 40 bytes a rank, which allocates nothing. Where a
/// rank failed or fingerprints differ, all ranks throw, as agree_on does. `leaving` and `arriving` have an entry more
/// than ranks: where the rows for, and then those from, each rank begin. A rank that failed may give empty ones.
announced_rows announce_rows(communicator const& comm, failure const& local, internal::fingerprint const& arguments,
                             std::vector<std::size_t> const& leaving, std::int64_t room,
                             std::vector<std::size_t>& arriving, char const* function, char const* what);

}  // namespace upsweep::mpi::detail
