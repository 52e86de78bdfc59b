// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace upsweep::mpi {

/// A file that all ranks read together by MPI-IO, each its own part:
/// `parallel_reader f(comm, "run.bin"); f.read(64 + first, std::as_writable_bytes(std::span(mine)));`
/// Pre: all ranks make, use and destroy it together, and see the file.
/// Sync: collective.
/// Throws: input_error on all ranks alike, also for what is no regular file; communication_error.
class parallel_reader {
 public:
  parallel_reader(communicator const& comm, std::filesystem::path const& path);
  parallel_reader(parallel_reader const&) = delete;
  parallel_reader& operator=(parallel_reader const&) = delete;
  ~parallel_reader();

  /// Bytes in the file when it was opened, for checks before memory is taken.
  std::uint64_t size() const { return size_; }

  /// Fills `mine` with the bytes from `at` on. Ranks may read the same bytes, or none.
  /// Throws: input_error where the file is too short.
  void read(std::uint64_t at, std::span<std::byte> mine) const;

 private:
  communicator comm_;
  std::filesystem::path path_;
  MPI_File file_ = MPI_FILE_NULL;
  std::uint64_t size_ = 0;
};

}  // namespace upsweep::mpi
