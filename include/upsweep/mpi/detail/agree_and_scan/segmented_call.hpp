// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/agree_and_scan/find_heads.hpp>
#include <upsweep/mpi/detail/agree_and_scan/runs_on_ranks.hpp>
#include <upsweep/mpi/detail/agree_and_scan/scan_call.hpp>
#include <upsweep/mpi/detail/agree_and_scan/segment_marks.hpp>

#include <cstddef>
#include <optional>

namespace upsweep::mpi::detail {

/// What other ranks learn of one: the combination from its last head on, and whether it has a head, or elements at all.
template <class State, class Ends>
struct segment_record {
  State tail;
  bool has_head, has_elements;
  Ends ends;
};

/// The combination of the elements since the last head below this rank. Nothing where a segment starts with this rank.
template <class Record, class Monoid, class Marks>
std::optional<typename Monoid::value_type> carry_from_below(gathered_states const& all, int rank, Record const& mine,
                                                            Monoid const& monoid, Marks const& marks) {
  std::optional<typename Monoid::value_type> carry;
  Record before = mine;
  for (int r = 0; r < rank; ++r) {
    Record const next = record_of(all, r, mine);
    if (!next.has_elements) continue;
    bool const goes_on = carry.has_value() && !next.has_head && marks.goes_on(before.ends, next.ends);
    carry = goes_on ? monoid(*carry, next.tail) : next.tail;
    before = next;
  }
  if (carry && mine.has_elements && !marks.goes_on(before.ends, mine.ends)) carry.reset();
  return carry;
}

/// Combines the elements of this rank from its last head on, gathers that of all ranks, and scans: the elements before
/// the first head belong to a segment of ranks below and are scanned like any others, behind what those ranks have of
/// it; the rest is a segmented scan of this rank.
template <bool Inclusive, class ExecutionSpace, class In, class Marks, class Out, class Given, class Engine>
void segmented_call(communicator const& comm, ExecutionSpace const& space, In const& in, Marks const& marks,
                    Out const& out, Given const& given, basic_scan_options<Engine> options, char const* function) {
  static_assert(sequence_argument<In>, "upsweep: the input of a scan is a View of rank 1 or a functor of the index.");
  static_assert(view_of_rank_1<Out>, "upsweep: the output of a scan is a View of rank 1.");
  using output = typename Out::non_const_value_type;
  auto const monoid = upsweep::internal::resolve<output>(given);
  using state = typename decltype(monoid)::value_type;
  std::size_t const n = out.extent(0);

  auto arguments = describe_combination<output, internal::sequence_value_t<In>>(function, monoid);
  marks.describe(arguments);

  std::optional<internal::temporary_memory> memory;
  failure failed;
  head_range heads;
  segment_record<state, typename Marks::ends_type> mine{monoid.identity(), false, n > 0, {}};
  try {
    if constexpr (Kokkos::is_view_v<In>) {
      upsweep::internal::require_same_extent(in.extent(0), n, function, "input");
      upsweep::internal::require_same_or_apart(in, out, function);
    }
    marks.check(out, function);
    memory.emplace(space, options.workspace);
    options.workspace = &memory->get();
    upsweep::internal::reserve_scan(space, in, out, monoid, options);
    // One rank alone has nobody to learn from.
    if (comm.size() > 1 && n > 0) {
      call_options const reduction{options.workspace, options.label};
      heads = find_heads(space, n, marks, reduction);
      mine.has_head = heads.behind_last > 0;
      mine.ends = marks.ends(space, n, memory->get(), function, options.label);
      std::size_t const last = mine.has_head ? heads.behind_last - 1 : 0;
      // Nobody asks for the tail of the last rank.
      if (comm.rank() + 1 < comm.size())
        mine.tail = reduce_to_state<state>(space, n - last, elements_between(in, last, n), monoid, reduction);
    }
  } catch (...) {
    failed = current_failure();
  }
  auto const carry = carry_from_below(gather_states(comm, failed, arguments, &mine, sizeof(mine), function),
                                      comm.rank(), mine, monoid, marks);
  std::size_t const lead = carry ? (heads.first < n ? heads.first : n) : 0;
  all_or_none(comm, [&] {
    if (lead > 0) {
      auto const front = elements_between(in, 0, lead);
      auto const to = elements_between(out, 0, lead);
      if constexpr (Inclusive) upsweep::inclusive_scan(space, front, to, *carry, monoid, options);
      else upsweep::exclusive_scan(space, front, to, *carry, monoid, options);
    }
    if (lead < n)
      marks.template scan_from<Inclusive>(space, lead, elements_between(in, lead, n), elements_between(out, lead, n),
                                          monoid, options);
    memory.reset();
  });
}

}  // namespace upsweep::mpi::detail
