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
/// Pre: all ranks make and use it together, and see the file. It is closed between calls, so a copy of it, or a program
/// that reads it, has what the last call left.
/// Sync: collective.
/// Throws: output_error on all ranks alike; communication_error.
class growing_file {
 public:
  /// Makes the file where it is not there, and cuts it to `size` bytes where it is.
  /// Throws: output_error for what file_replacement refuses, and where the file has fewer bytes.
  growing_file(communicator const& comm, std::filesystem::path const& path, std::uint64_t size = 0);

  std::filesystem::path const& path() const { return path_; }
  std::uint64_t size() const { return size_; }

  /// Appends the ranks' bytes, in rank order. They are on the disk when it returns. Where it throws, the file is cut to
  /// what it had before, as far as the system lets it be.
  void append(std::span<std::byte const> mine);

 private:
  communicator comm_;
  std::filesystem::path path_;
  std::uint64_t size_;
};

}  // namespace upsweep::mpi
