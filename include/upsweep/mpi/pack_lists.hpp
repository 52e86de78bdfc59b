// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/mpi/detail/agree_and_scan/host_copy.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/detail/rows/count_on_ranks.hpp>
#include <upsweep/pack/pack_lists.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace upsweep::mpi {

namespace detail {

template <class Offsets, class Out>
struct shift_offsets {
  Offsets offsets;
  Out out;
  std::size_t first;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { out(i) = first + offsets(i); }
};

}  // namespace detail

/// The rows of one rank of lists whose rows are divided among ranks: rows first_row ... of all_rows. offsets(0) is 0,
/// as in any lists; in the values of all ranks, one behind the other, row i begins at first_value + offsets(i).
template <class T, class MemorySpace = Kokkos::DefaultExecutionSpace::memory_space>
struct rank_lists : lists<T, MemorySpace> {
  std::size_t first_row = 0, all_rows = 0;
  std::size_t first_value = 0, all_values = 0;

  /// Offsets into the values of all ranks: rows() + 1 entries, the last of which is the next rank's first one.
  /// Cost: one read and one write of each offset. Sync: local; waits for the instance. Throws: out_of_memory_error.
  template <class ExecutionSpace>
  Kokkos::View<std::size_t*, MemorySpace> global_offsets(ExecutionSpace const& space) const {
    static constexpr char const* function = "rank_lists::global_offsets";
    using result_view = Kokkos::View<std::size_t*, MemorySpace>;
    using kernel = detail::shift_offsets<decltype(this->offsets), result_view>;
    auto const result =
        internal::allocate<std::size_t, MemorySpace>(space, this->offsets.extent(0), function, "offsets");
    upsweep::internal::for_each_index(
        space, [&] { return internal::label(function, "shift"); }, this->offsets.extent(0),
        kernel{this->offsets, result, first_value});
    space.fence(internal::label(function, "fence"));
    return result;
  }
};

/// upsweep::pack_lists on all ranks, with what makes one list of theirs: every rank packs n rows of its own (n may
/// differ), and learns which rows and values of all these are. Rows {7} {} | {8, 9} give offsets 0 1 1 | 0 2, first_row
/// 0 | 2, first_value 0 | 1 and global offsets 0 1 1 | 1 3:
/// `auto const l = mpi::pack_lists<int>(comm, space, n, functor); auto const offsets = l.global_offsets(space);`
///
/// Pre: all ranks call it, with the same T. functor(i, emit) is called with rows of its own rank, i from 0; the rest as
/// upsweep::pack_lists.
/// Cost: as upsweep::pack_lists, and one MPI_Allgather of 64 bytes a rank.
/// Order: rows in order, records as emitted.
/// Sync: collective; waits for the instance.
/// Throws: on all ranks alike what upsweep::pack_lists threw on one (its row is one of that rank), precondition_error
/// where T differs, overflow_error where 64 bits do not count all rows or values; communication_error.
template <class T, execution_space_argument ExecutionSpace, class Functor>
rank_lists<T, typename ExecutionSpace::memory_space> pack_lists(communicator const& comm, ExecutionSpace const& space,
                                                                std::size_t n, Functor const& functor,
                                                                pack_options const& options = {}) {
  static constexpr char const* function = "mpi::pack_lists";
  internal::fingerprint arguments;
  arguments.text(function).template type<T>();
  using lists_type = lists<T, typename ExecutionSpace::memory_space>;
  rank_lists<T, typename ExecutionSpace::memory_space> result;
  auto const counts = detail::count_on_ranks<2>(comm, arguments, function, [&] {
    static_cast<lists_type&>(result) = upsweep::pack_lists<T>(space, n, functor, options);
    return Kokkos::Array<std::size_t, 2>{result.rows(), result.total()};
  });
  result.first_row = counts[0].offset;
  result.all_rows = counts[0].total;
  result.first_value = counts[1].offset;
  result.all_values = counts[1].total;
  return result;
}

UPSWEEP_WITHOUT_COMMUNICATOR(pack_lists)

}  // namespace upsweep::mpi
