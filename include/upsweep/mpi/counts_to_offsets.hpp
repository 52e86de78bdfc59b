// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/monoids/saturating_plus.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/detail/rows/count_on_ranks.hpp>
#include <upsweep/scan/internal/scan_counts.hpp>
#include <upsweep/scan/options.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace upsweep::mpi {

namespace detail {

/// Counts in 64 bits. A negative one counts as none here; the scan reports it.
template <class Counts>
struct count_in_64_bits {
  Counts counts;
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t i) const {
    auto const count = counts.load(i);
    if constexpr (std::is_signed_v<typename Counts::value_type>) {
      if (count < 0) return 0;
    }
    return static_cast<std::uint64_t>(count);
  }
};

}  // namespace detail

/// Counts of all ranks to offsets into one whole: offsets(i) is the sum of the counts of the ranks below and of
/// counts(0) ... counts(i-1); offsets(n), one entry more than counts, is where the next rank begins. Returns the sum of
/// this rank's counts, of those of the ranks below, and of all: 2 0 3 | | 4 give 0 2 2 5 | 5 | 5 9, with {5, 0, 9},
/// {0, 5, 9} and {4, 5, 9}.
///
/// Pre: all ranks call it, with the same types; a rank may have no counts. The rest as upsweep::counts_to_offsets.
/// Cost: 2 n reads, n + 1 writes, one MPI_Allgather of 64 bytes a rank, one MPI_Allreduce of 24 bytes.
/// Order: exact. Sums are kept in 64 bits, saturating, whatever the types are.
/// Sync: collective; waits for the instance.
/// Aliasing: counts may be the first n entries of local_offsets.
/// Throws: on all ranks alike, local_offsets being undefined then: overflow_error and precondition_error that name the
/// first bad index of a rank (offsets that do not fit in their type, negative counts), overflow_error where 64 bits do
/// not hold the sum; precondition_error (extents, overlap, types that differ, workspace of another instance),
/// out_of_memory_error; communication_error.
/// Source: *Prefix sums on GPUs*: counts, scan, emit; ranks as blocks of its two-level scan.
template <execution_space_argument ExecutionSpace, class Counts, view_of_rank_1 Offsets,
          class Engine = engine::automatic>
rank_count counts_to_offsets(communicator const& comm, ExecutionSpace const& space, Counts const& local_counts,
                             Offsets const& local_offsets, basic_scan_options<Engine> const& options = {}) {
  static constexpr char const* function = "mpi::counts_to_offsets";
  internal::fingerprint arguments;
  arguments.text(function).template type<upsweep::internal::sequence_value_t<Counts>>();
  arguments.template type<typename Offsets::non_const_value_type>();
  std::optional<upsweep::internal::temporary_memory> memory;
  auto const rows = detail::count_on_ranks<1>(comm, arguments, function, [&] {
    std::size_t const n = upsweep::internal::checked_counts<ExecutionSpace>(local_counts, local_offsets, function);
    memory.emplace(space, options.workspace);
    // All of it before the ranks meet: offsets may overwrite counts, so no rank may run out behind that.
    upsweep::internal::reserve_scan_counts<Engine>(space, local_counts, local_offsets, n, memory->get());
    upsweep::internal::access::reserve(memory->get(), space, 0);  // error words, whatever the engine
    auto const counts = upsweep::internal::make_sequence(local_counts);
    using in_64_bits = detail::count_in_64_bits<std::remove_const_t<decltype(counts)>>;
    return Kokkos::Array<std::uint64_t, 1>{
        upsweep::reduce<std::uint64_t>(space, n, in_64_bits{counts}, upsweep::internal::saturating_plus{},
                                       {.workspace = &memory->get(), .label = options.label})};
  })[0];
  all_or_none(comm, [&] {
    workspace& shared = memory->get();
    upsweep::internal::scan_counts(
        space, local_counts, local_offsets, options, shared,
        [&](workspace& w) { return upsweep::internal::access::errors(w, space); }, function, false, rows.offset);
    upsweep::internal::throw_data_error(upsweep::internal::access::take_error(shared, space), function);
    memory.reset();
  });
  return rows;
}

UPSWEEP_WITHOUT_COMMUNICATOR(counts_to_offsets)

}  // namespace upsweep::mpi
