// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/mpi/detail/agree_and_scan/runs_on_ranks.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/detail/rows/count_on_ranks.hpp>
#include <upsweep/pack/unique.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace upsweep::mpi {

/// upsweep::unique of the elements of all ranks, in rank order: copies the first of each run of equal neighbours to
/// local_out of the rank where the run begins, and returns how many this rank has, how many the ranks below it have,
/// and how many there are: 5 5 | 5 2 | 2 2 | 7 gives 5 | 2 | | 7, with {1, 0, 3}, {1, 1, 3}, {0, 2, 3} and {1, 2, 3}.
///
/// Pre: all ranks call it, with the same types; a rank may have no elements. equal(element before, element) is alike on
/// all ranks, and may be called on the host, too. Elements are trivially copyable. The rest as upsweep::unique.
/// Cost: as upsweep::unique of the elements behind the run that goes on from ranks below, and reads of that run on this
/// rank (of at least 65536 elements, one reduction); two MPI_Allgather of 64 bytes a rank (a third one and an agreement
/// for elements above 20 bytes).
/// Order: stable, over the ranks, too.
/// Sync: collective; waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused.
/// Throws: on all ranks alike what upsweep::unique threw on one (overflow_error where local_out is too short there),
/// and precondition_error where types differ; out_of_memory_error; communication_error. local_out is undefined then.
template <execution_space_argument ExecutionSpace, view_of_rank_1 In, view_of_rank_1 Out,
          functor_argument Equal = equal_keys>
rank_count unique(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                  Equal const& equal = {}, call_options const& options = {}) {
  static constexpr char const* function = "mpi::unique";
  auto const arguments = detail::moved_types<In, Out>(function);
  detail::key_marks<In, Equal> const marks{local_in, equal};
  using ends = typename detail::key_marks<In, Equal>::ends_type;
  std::optional<upsweep::internal::temporary_memory> memory;
  std::size_t const n = local_in.extent(0);
  detail::run_ends<ends> mine{};
  detail::failure failed;
  try {
    // Of the whole input: the local call sees only what lies behind the run that goes on from ranks below.
    upsweep::internal::require_apart(local_in, local_out, function, "input", "output");
    memory.emplace(space, options.workspace);
    if (comm.size() > 1 && n > 0) {
      mine = {true, marks.ends(space, n, memory->get(), function, options.label)};
    }
  } catch (...) {
    failed = detail::current_failure();
  }
  auto const all = detail::gather_states(comm, failed, arguments, &mine, sizeof(mine), function, "types");
  bool const goes_on = detail::goes_on_from_below(all, comm.rank(), mine, marks);
  return detail::count_on_ranks<1>(comm, arguments, function, [&] {
    std::size_t begin = 0;
    if (goes_on) {
      auto const heads = detail::find_first_heads(space, n, marks, {&memory->get(), options.label}).heads;
      begin = heads.behind_last > 0 ? heads.first : n;
    }
    Kokkos::Array<std::uint64_t, 1> const count{upsweep::unique(space, detail::elements_between(local_in, begin, n),
                                                                local_out, equal,
                                                                {.workspace = &memory->get(), .label = options.label})};
    memory.reset();
    return count;
  })[0];
}

/// The same with ==. Options follow the output.
template <execution_space_argument ExecutionSpace, view_of_rank_1 In, view_of_rank_1 Out>
rank_count unique(communicator const& comm, ExecutionSpace const& space, In const& local_in, Out const& local_out,
                  call_options const& options) {
  return mpi::unique(comm, space, local_in, local_out, equal_keys{}, options);
}

UPSWEEP_WITHOUT_COMMUNICATOR(unique)

}  // namespace upsweep::mpi
