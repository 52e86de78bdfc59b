// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/io/internal/byte_pieces.hpp>
#include <upsweep/io/internal/view_pieces.hpp>
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
    internal::whole_bytes bytes(std::as_bytes(values));
    write_rows(npy_descr<value>(), sizeof(value), row_shape, bytes);
  }

  /// The same of a View of any rank but 0, any layout and memory space: row i is view(i, ...), of the View's further
  /// extents. Elements on a device go through 16 MiB of host memory, as in write_npy; so do those that do not
  /// lie in C order.
  /// Sync: waits for the instance.
  /// Throws: precondition_error, too, where further extents differ between ranks or one of them is 0;
  /// out_of_memory_error.
  template <class ExecutionSpace, view_argument View>
  void write(ExecutionSpace const& space, View const& view) {
    static_assert(compat::rank<View> > 0, "upsweep::mpi::npy_file::write: a View of rank 0 has no rows.");
    using value = typename View::non_const_value_type;
    internal::view_pieces<ExecutionSpace, View> pieces(space, view, "npy_file::write");
    write_rows(npy_descr<value>(), sizeof(value), internal::extents_from<1>(view), pieces);
  }

  /// Gives the complete file its name. Several files of one set: write all, then commit all.
  void commit() { file_.commit(); }

 private:
  void write_rows(std::string const& descr, std::size_t item, std::span<std::uint64_t const> row_shape,
                  internal::byte_pieces& pieces);

  communicator comm_;
  parallel_file file_;
};

}  // namespace upsweep::mpi
