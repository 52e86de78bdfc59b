// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/mpi/parallel_file.hpp>
#include <upsweep/io/npy.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace upsweep::mpi {

/// A .npy file that all ranks write together by MPI-IO, each its rows in one contiguous piece, in rank order:
/// `npy_file f(comm, "offsets.npy"); f.write(std::span(mine)); f.commit();`
/// For part files, commit() and older files see parallel_file.
/// Pre: all ranks make, use and destroy it together.
/// Sync: collective.
/// Throws: output_error on all ranks alike; communication_error.
class npy_file {
 public:
  /// Creates the part file, which shows early whether the folder can be written to.
  npy_file(communicator const& comm, std::filesystem::path const& path) : comm_(comm), file_(comm, path) {}
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
  void commit() { file_.commit(); }

 private:
  void write_bytes(std::string const& descr, std::size_t item, std::vector<std::uint64_t> const& row_shape,
                   std::span<std::byte const> bytes);

  communicator comm_;
  parallel_file file_;
};

}  // namespace upsweep::mpi
