// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace upsweep::internal {

/// MPI's words for an error code.
std::string mpi_text(int code);

/// The first thing that went wrong in collective calls of MPI-IO. Its text is made when ranks agree: a rank that ran
/// out of memory for it earlier would leave the others waiting in MPI-IO.
struct transfer_failure {
  int code = MPI_SUCCESS;
  int moved = 0, wanted = 0;

  bool none() const { return code == MPI_SUCCESS && moved == wanted; }
  void note(int result) {
    if (none()) code = result;
  }
  /// A full disk may show as a short write only, and a file that was cut as a short read.
  void note(int result, MPI_Status const& status, int bytes);
  std::string text() const;
};

/// Writes this rank's bytes at its place, in pieces of at most 2^30 bytes. Collective.
void write_pieces(mpi::communicator const& comm, MPI_File file, std::uint64_t at, std::span<std::byte const> bytes,
                  transfer_failure& failed);

/// Reads this rank's bytes from its place, likewise. Collective.
void read_pieces(mpi::communicator const& comm, MPI_File file, std::uint64_t at, std::span<std::byte> bytes,
                 transfer_failure& failed);

/// Rank 0's text on every rank. Collective; throws on all ranks alike.
void broadcast(mpi::communicator const& comm, std::string& text);

}  // namespace upsweep::internal
