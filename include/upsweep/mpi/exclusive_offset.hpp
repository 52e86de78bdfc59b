// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <cstddef>

namespace upsweep::mpi {

/// Where this rank's part of a whole begins, and how large the whole is.
struct rank_offset {
  std::size_t offset;
  std::size_t total;
};

/// One number a rank to its offset: ranks with 3, 0 and 5 get {0, 8}, {3, 8} and {3, 8}.
/// Pre: all ranks call it.
/// Cost: one MPI_Allgather of 8 bytes a rank.
/// Sync: collective.
/// Throws: overflow_error on all ranks when the total does not fit in 64 bits; communication_error.
rank_offset exclusive_offset(communicator const& comm, std::size_t n);

}  // namespace upsweep::mpi
