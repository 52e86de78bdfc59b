// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/mpi/detail/agree_and_scan/runs_on_ranks.hpp>
#include <upsweep/mpi/detail/agree_and_scan/scan_call.hpp>
#include <upsweep/mpi/detail/rows/count_on_ranks.hpp>
#include <upsweep/pack/reduce_by_key.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace upsweep::mpi::detail {

/// run_ends with what a rank's first and last run have on it; both are the same where no second run begins on it.
template <class State, class Ends>
struct reduced_ends : run_ends<Ends> {
  bool has_head;
  State first_run, last_run;
};

/// What the last run of a rank is with the elements of ranks above that belong to it; nothing where none do.
template <class Record, class Monoid, class Marks>
std::optional<typename Monoid::value_type> carry_from_above(gathered_states const& all, int rank, int size,
                                                            Record const& mine, Monoid const& monoid,
                                                            Marks const& marks) {
  std::optional<typename Monoid::value_type> whole;
  if (!mine.has_elements) return whole;
  Record before = mine;
  for (int r = rank + 1; r < size; ++r) {
    Record const next = record_of(all, r, mine);
    if (!next.has_elements) continue;
    if (!marks.goes_on(before.ends, next.ends)) break;
    whole = monoid(whole ? *whole : mine.last_run, next.first_run);
    if (next.has_head) break;
    before = next;
  }
  return whole;
}

template <class Out>
struct store_at {
  Out out;
  std::size_t place;
  typename Out::non_const_value_type value;
  KOKKOS_FUNCTION void operator()(std::int64_t) const { out(place) = value; }
};

/// Combines the first and the last run of this rank, and gathers those of all ranks. Then each rank reduces the runs
/// that begin on it, and its last one gets the result that goes on over the ranks above.
template <class ExecutionSpace, class Marks, class Values, class OutKeys, class OutValues, class Given>
rank_count reduce_runs_call(communicator const& comm, ExecutionSpace const& space, Marks const& marks,
                            Values const& values, OutKeys const& out_keys, OutValues const& out_values,
                            Given const& given, call_options options) {
  static constexpr char const* function = "mpi::reduce_by_key";
  using output = typename OutValues::non_const_value_type;
  auto const monoid = upsweep::internal::resolve<output>(given);
  using state = typename decltype(monoid)::value_type;
  std::size_t const n = marks.keys.extent(0);

  auto arguments = describe_combination<output, internal::sequence_value_t<Values>>(function, monoid);
  marks.describe(arguments);

  std::optional<internal::temporary_memory> memory;
  failure failed;
  std::size_t first_head = n;
  using record = reduced_ends<state, typename Marks::ends_type>;
  record mine{{false, {}}, false, monoid.identity(), monoid.identity()};
  try {
    if constexpr (Kokkos::is_view_v<Values>)
      upsweep::internal::require_same_extent(n, values.extent(0), function, "keys", "values");
    // Of the whole inputs: the local call sees only what lies behind the run that goes on from ranks below.
    upsweep::internal::require_apart(marks.keys, out_keys, function, "keys", "out_keys");
    upsweep::internal::require_apart(marks.keys, out_values, function, "keys", "out_values");
    upsweep::internal::require_apart(values, out_keys, function, "values", "out_keys");
    upsweep::internal::require_apart(values, out_values, function, "values", "out_values");
    memory.emplace(space, options.workspace);
    options.workspace = &memory->get();
    if (comm.size() > 1 && n > 0) {
      auto const combined = [&](std::size_t first, std::size_t last) {
        return reduce_to_state<state>(space, last - first, elements_between(values, first, last), monoid, options);
      };
      auto const heads = find_heads(space, n, marks, options);
      mine.has_elements = true;
      mine.has_head = heads.behind_last > 0;
      mine.ends = marks.ends(space, n, memory->get(), function, options.label);
      if (mine.has_head) first_head = heads.first;
      // Nobody asks for the first run of the first rank, nor for the last one of the last.
      if (comm.rank() > 0) mine.first_run = combined(0, first_head);
      if (comm.rank() > 0 && !mine.has_head) mine.last_run = mine.first_run;
      else if (comm.rank() + 1 < comm.size()) mine.last_run = combined(mine.has_head ? heads.behind_last - 1 : 0, n);
    }
  } catch (...) {
    failed = current_failure();
  }
  auto const all = gather_states(comm, failed, arguments, &mine, sizeof(mine), function);
  std::size_t const begin = goes_on_from_below(all, comm.rank(), mine, marks) ? first_head : 0;
  auto const whole = carry_from_above(all, comm.rank(), comm.size(), mine, monoid, marks);
  return count_on_ranks<1>(comm, arguments, function, [&] {
    Kokkos::Array<std::uint64_t, 1> const count{upsweep::reduce_by_key(space, elements_between(marks.keys, begin, n),
                                                                       elements_between(values, begin, n), out_keys,
                                                                       out_values, monoid, marks.equal, options)};
    if (whole && count[0] > 0) {
      upsweep::internal::for_each_index(
          space, [&] { return internal::label(function, "last_run", options.label); }, 1,
          store_at<OutValues>{out_values, count[0] - 1, upsweep::internal::lower<output>(monoid, *whole)});
      space.fence(internal::label(function, "fence"));
    }
    memory.reset();
    return count;
  })[0];
}

}  // namespace upsweep::mpi::detail
