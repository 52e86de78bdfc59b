// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/npy.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace upsweep::mpi {

/// A .npy file that all ranks write together by MPI-IO, each its rows in one contiguous piece, in rank order:
/// `npy_file f(comm, "offsets.npy"); f.write(std::span(mine)); f.commit();`
/// Everything goes to a part file in the same folder; commit() gives it its name. Without commit, after an error too,
/// the destructor removes it, so an older file is never replaced by a part of a new one. Which files are replaced and
/// what is kept of them: see file_replacement.
/// Pre: all ranks make, use and destroy it together.
/// Sync: collective.
/// Throws: output_error on all ranks alike; communication_error.
class npy_file {
 public:
  /// Creates the part file, which shows early whether the folder can be written to.
  npy_file(communicator const& comm, std::filesystem::path const& path);
  npy_file(npy_file const&) = delete;
  npy_file& operator=(npy_file const&) = delete;

  /// Writes the whole array: the ranks' rows, one behind the other; a row has `row_shape` elements (none: a number).
  /// The bytes are on the disk when it returns. Pieces of more than 2^30 bytes are cut. Once per file.
  /// Throws: precondition_error when the values are no whole rows.
  template <class T, std::size_t Extent>
  void write(std::span<T, Extent> values, std::vector<std::uint64_t> const& row_shape = {}) {
    using value = std::remove_const_t<T>;
    write_bytes(npy_descr<value>(), sizeof(value), row_shape, std::as_bytes(values));
  }

  /// Gives the complete file its name. Several files of one set: write all, then commit all.
  void commit();

 private:
  void write_bytes(std::string const& descr, std::size_t item, std::vector<std::uint64_t> const& row_shape,
                   std::span<std::byte const> bytes);
  struct write_failure;
  void write_pieces(MPI_File file, std::uint64_t at, std::span<std::byte const> bytes, write_failure& failed) const;

  communicator comm_;
  std::filesystem::path path_;
  std::optional<file_replacement> replacement_;  // on rank 0
  std::filesystem::path part_;                   // its part file, on every rank
  bool complete_ = false;
};

}  // namespace upsweep::mpi
