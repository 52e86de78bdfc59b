// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace upsweep::mpi {

/// A file to which all ranks append together by MPI-IO, such as the frames of a trajectory:
/// `growing_file f(comm, "melt.xyz"); f.append(std::as_bytes(std::span(my_lines)));`
/// The file is closed between calls, so other programs can read or copy what the last call left.
/// Pre: all ranks make and use it together, and see the file.
/// Sync: collective.
/// Throws: output_error on all ranks alike; communication_error.
class growing_file {
 public:
  /// Makes the file if it does not exist, else cuts it to `size` bytes.
  /// Throws: output_error for what file_replacement refuses, and where the file has fewer bytes.
  growing_file(communicator const& comm, std::filesystem::path const& path, std::uint64_t size = 0);

  std::filesystem::path const& path() const { return path_; }
  std::uint64_t size() const { return size_; }

  /// Appends the ranks' bytes, in rank order. They are on the disk when it returns. Where it throws, it tries to cut
  /// the file to what it had before.
  void append(std::span<std::byte const> mine);

 private:
  communicator comm_;
  std::filesystem::path path_;
  std::uint64_t size_;
};

}  // namespace upsweep::mpi
