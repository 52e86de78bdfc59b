// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/internal/byte_pieces.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace upsweep::internal {

/// `path` for MPI_File_open: relative names begin with "./", because MPI does not take all others as they are. Open MPI
/// 4.1.3 to 5.0.3 refuses names of one character with MPI_ERR_OTHER: in the name of a semaphore it takes "c" for "/".
/// MPICH takes "ufs:c" for a file "c" on a file system of type ufs.
std::filesystem::path name_for_mpi(std::filesystem::path const& path);

/// The first thing that went wrong in calls of MPI-IO. Its text is made when ranks agree: a rank that ran
/// out of memory for it earlier would leave the others waiting in MPI-IO.
struct transfer_failure {
  int code = MPI_SUCCESS;
  std::uint64_t moved = 0, wanted = 0;

  bool none() const { return code == MPI_SUCCESS && moved == wanted; }
  void note(int result) {
    if (none()) code = result;
  }
  /// A full disk may show as a short write only, and a file that was cut as a short read.
  void note(int result, MPI_Status const& status, int bytes);
  std::string text() const;
};

/// Writes to an existing file from byte `begin` on, one section after the other, in each the ranks' bytes in rank
/// order, and waits for the disk. Returns where the last section ends, which is the size of the file. named: the user's
/// name of the file, for messages. Sections have been prepared. Collective; throws on all ranks alike: output_error, or
/// what a section's piece() threw on one.
std::uint64_t write_sections(mpi::communicator const& comm, std::filesystem::path const& file,
                             std::filesystem::path const& named, std::uint64_t begin,
                             std::span<byte_pieces* const> sections);

/// Reads this rank's bytes from its place, in pieces of at most 2^30 bytes, and asks behind that whether the file has
/// them: where it was cut since it was opened, an MPI need not say so (collective reads of Open MPI 4.1 and 6.0 on
/// three ranks do not). Local.
void read_pieces(MPI_File file, std::uint64_t at, std::span<std::byte> bytes, transfer_failure& failed);

/// Rank 0's text on every rank. Collective; throws on all ranks alike.
void broadcast(mpi::communicator const& comm, std::string& text);

}  // namespace upsweep::internal
