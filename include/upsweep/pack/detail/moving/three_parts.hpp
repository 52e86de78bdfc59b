// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/pack/detail/moving/outputs.hpp>
#include <upsweep/pack/detail/moving/partition_call.hpp>
#include <upsweep/scan/internal/part_bits.hpp>
#include <upsweep/scan/internal/part_counts.hpp>
#include <upsweep/scan/internal/selection.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

using internal::part_counts;

// Three parts. With an output for each, one pass is enough. In one output the second part starts where the first one
// ends: short inputs wait for the counts in their one pass (select_joined), else one pass asks and counts, keeping the
// answers as bits, and the next one moves: 3 n accesses whatever the parts are. H200, 2026-11-23, half, a quarter and a
// quarter, 2^24 / 2^26, us: int32 85 / 268, int64 131 / 457. One pass that stores the first part, the second in
// temporary memory and the rest backwards, and a kernel that moves these two: 81 / 287 and 122 / 453, with n elements
// of memory.

/// The part of an element: the first predicate that holds for it. It is asked by index, or with the element in hand.
template <class In, class First, class Second>
struct part_of_three {
  static constexpr int parts = 3;
  In in;
  First first;
  Second second;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return (*this)(in.load(i), i); }
  KOKKOS_FUNCTION int operator()(typename In::value_type const& x, std::size_t) const {
    return first(x) ? 0 : second(x) ? 1 : 2;
  }
};

template <class In, class Predicate>
constexpr void require_predicate() {
  static_assert(std::is_invocable_r_v<bool, Predicate const&, typename In::non_const_value_type const&>,
                "upsweep::partition: a predicate is called with an element and returns bool.");
}
template <class In, class Source, class First, class Second>
part_of_three<Source, First, Second> make_part_of_three(Source const& from, First const& first, Second const& second) {
  require_predicate<In, First>();
  require_predicate<In, Second>();
  return {from, first, second};
}

/// An output for each of three parts; what there is no room for is left out.
template <class First, class Second, class Rest>
struct three_outputs {
  static constexpr bool asks_ahead = false;
  separate_outputs<First, Second> front;
  limited_output<Rest> rest;

  bool has_room_for(std::size_t all) const { return front.has_room_for(all) && rest.room >= all; }

  template <class T>
  KOKKOS_FUNCTION void store(element_marks<3> const&, int part, std::uint64_t place, T const& x) const {
    if (part < 2) front.put(part, place, x);
    else rest.store(place, x);
  }
  template <class In>
    requires has_move_kernels<In, First> && has_move_kernels<In, Second> && has_move_kernels<In, Rest>
  auto plain(In const& in, element_marks<3> const& marks) const {
    auto move = make_plain_move(in, front.first.to);
    move.second = words_of(front.second.to);
    move.rest = words_of(rest.to);
    move.is_possible =
        marks.count(0) <= front.first.room && marks.count(1) <= front.second.room && marks.count(2) <= rest.room;
    return move;
  }
};

/// Stores the counts of three parts of n elements, of which the last one is not counted.
inline KOKKOS_FUNCTION void store_three_counts(count_target<3> const& to, part_counts<2> const& found,
                                               std::uint64_t n) {
  to.store(0, found.of[0]);
  to.store(1, found.of[1]);
  to.store(2, n - found.of[0] - found.of[1]);
}

/// Each part as it comes.
template <class To>
struct three_parts_side_by_side {
  To to;
  std::uint64_t n;
  count_target<3> counts;

  KOKKOS_FUNCTION static part_counts<3> starts() { return {}; }
  template <class T>
  KOKKOS_FUNCTION void chosen(std::uint64_t place, T const& x) const {
    to.store({}, 0, place, x);
  }
  template <class T>
  KOKKOS_FUNCTION void second(std::uint64_t place, T const& x) const {
    to.store({}, 1, place, x);
  }
  template <class T>
  KOKKOS_FUNCTION void rest(std::uint64_t place, T const& x) const {
    to.store({}, 2, place, x);
  }
  KOKKOS_FUNCTION void finish(part_counts<2> const& found) const { store_three_counts(counts, found, n); }
};

template <class ExecutionSpace, class In, class PartOf, class First, class Second, class Rest>
void partition_in_one_pass(ExecutionSpace const& space, std::size_t n, In const& in, PartOf const& part_of,
                           three_outputs<First, Second, Rest> const& to, std::uint64_t*, count_target<3> const& counts,
                           workspace& memory, call_options const& options, char const* function) {
  internal::select_in_one_pass(space, in, n, part_of,
                               three_parts_side_by_side<three_outputs<First, Second, Rest>>{to, n, counts}, memory,
                               function, options.label);
}

/// Parts one after the other. Their counts are known before the selection, or places are found from the
/// total (WantsTotal).
template <class Out, bool WantsTotal>
struct three_parts_in_a_row : placed_output<Out> {
  static constexpr bool wants_total = WantsTotal;
  part_counts<2> const* found;
  std::uint64_t n;
  count_target<3> counts;

  KOKKOS_FUNCTION part_counts<3> starts() const {
    part_counts<2> const ends = *found;
    return {{0, ends.of[0], ends.of[0] + ends.of[1]}};
  }
  template <class T>
  KOKKOS_FUNCTION void second(std::uint64_t place, T const& x) const {
    this->chosen(place, x);
  }
  template <class T>
  KOKKOS_FUNCTION void rest(std::uint64_t place, T const& x) const {
    this->chosen(place, x);
  }
  KOKKOS_FUNCTION void finish(part_counts<2> const& all) const { store_three_counts(counts, all, n); }
};

template <class ExecutionSpace, class In, class PartOf, class Out>
void partition_in_one_pass(ExecutionSpace const& space, std::size_t n, In const& in, PartOf const& part_of,
                           joined_output<Out> const& to, std::uint64_t* found, count_target<3> const& counts,
                           workspace& memory, call_options const& options, char const* function) {
  using in_a_row = three_parts_in_a_row<Out, true>;
  if (internal::select_joined(space, in, n, part_of, in_a_row{{to.out}, nullptr, n, counts}, memory, function,
                              options.label))
    return;
  using known = internal::part_bits_of<ExecutionSpace, typename In::value_type>;
  auto* const both = reinterpret_cast<part_counts<2>*>(found);
  known const parts{reinterpret_cast<typename known::word*>(internal::access::reserve(memory, space, known::bytes(n)))};
  if (n > 0) internal::classify_parts(space, in, n, part_of, parts, both, memory, function, options.label);
  internal::select_in_one_pass(space, in, n, parts, three_parts_in_a_row<Out, false>{{to.out}, both, n, counts}, memory,
                               function, options.label);
}

}  // namespace upsweep::pack::detail
