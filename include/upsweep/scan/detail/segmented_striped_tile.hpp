// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/lanes.hpp>
#include <upsweep/scan/detail/head_rows.hpp>
#include <upsweep/scan/detail/scan_problem.hpp>
#include <upsweep/scan/detail/segmented_sequences.hpp>
#include <upsweep/scan/detail/striped_tile.hpp>
#include <upsweep/scan/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::detail {

/// The scan of a segmented problem's values, as if there were one segment.
template <class Problem>
using problem_of_values =
    scan_problem<decltype(Problem::in.in), decltype(Problem::out.out), decltype(Problem::out.monoid), Problem::inclusive>;

/// Whether a problem is a segmented scan of values that a segmented_striped_tile takes: those that are scanned where they are. Others go
/// as pairs of value and head.
template <class Problem>
struct takes_segmented_tile : std::false_type {};
template <class Problem>
  requires is_segmented_problem<Problem>
struct takes_segmented_tile<Problem>
    : std::bool_constant<striped_tile<problem_of_values<Problem>, striped_shape<1, 16, 1>>::scans_in_place> {};

/// A striped_tile that starts anew at each head. It combines values only: a head ends what comes from the left, so lanes add from the
/// last head on, and elements behind the warp's first head are done when the tile's aggregate is.
///
/// Association, behind a head: sum of the rounds since the head * (sums of the lanes before * elements before), each from the head on. In
/// front of the warp's first head it is prefix * that.
template <class Problem, class Shape, class Lanes>
struct segmented_striped_tile {
  using values_problem = problem_of_values<Problem>;
  using values_tile = striped_tile<values_problem, Shape, Lanes>;
  using heads_type = decltype(Problem::in.heads);
  using value = typename values_problem::state;
  using state = typename Problem::state;
  using output = typename values_problem::output;
  static constexpr int per_round = values_tile::per_round;
  static constexpr int rounds = values_tile::rounds;
  static constexpr int slot = values_tile::slot;
  static constexpr std::size_t warp_elements = values_tile::warp_elements;
  static constexpr std::size_t size = values_tile::size;
  using rows = head_rows<heads_type, per_round, rounds, Lanes>;

  values_tile values;
  rows heads;
  int first_head;  ///< in the warp's run; its length or more, if there is none

  static bool goes_by_chunks(Problem const& p) { return values_tile::goes_by_chunks(values_of(p)) && rows::goes_by_chunks(p.in.heads); }

  KOKKOS_FORCEINLINE_FUNCTION static int run_length(Problem const& p, std::size_t first) {
    return values_tile::run_length(values_of(p), first);
  }

  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void load(Problem const& p, std::size_t first, int length, int lane) {
    heads.template load<Whole>(p.in.heads, first, length, lane);
    values.template load<Whole>(values_of(p), first, length, lane);
  }

  /// The fold of the warp's run since its last head, in every lane. Leaves each element's result but for what comes from before the run.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION state fold(Problem const& p, std::size_t first, int length, int lane) {
    auto const& op = p.out.monoid;
    value sum = op.identity();
    // Of the first round that has heads.
    typename Lanes::mask lanes_with_head = 0;
    std::uint32_t bits_there = 0;
    int round_there = 0;
    UPSWEEP_UNROLL
    for (int r = 0; r < rounds; ++r) {
      std::uint32_t const bits = heads.template bits<Whole>(p.in.heads, first, length, r, lane);
      auto& chunk = values.held[r];
      int const begin = values_tile::place(r, lane);
      value own = op.identity();
      UPSWEEP_UNROLL
      for (int k = 0; k < per_round; ++k) {
        if (Whole || begin + k < length) {
          bool const head = (bits >> k & 1u) != 0;
          value const through = next(op, own, chunk.template take<typename values_tile::input>(k), k == 0 || head);
          if constexpr (Problem::inclusive) chunk.put(k, through);
          else if (k > 0 || head) chunk.put(k, head ? op.identity() : own);
          own = through;
        }
      }
      round const now(op, own, bits, lane);
      value const below = Lanes::shuffle_up(now.inclusive, 1);
      bool const is_open = (now.with_head & Lanes::lanes_below()) == 0;  // no head in the lanes before
      bool const is_first = r == 0 && lane == 0;
      value const before = lane == 0 ? sum : r > 0 && is_open ? op(sum, below) : below;
      UPSWEEP_UNROLL
      for (int k = 0; k < per_round; ++k) {
        if ((bits & ((2u << k) - 1u)) != 0) continue;  // behind a head of the lane's own
        if (!Problem::inclusive && k == 0) chunk.put(0, before);
        else if ((Whole || begin + k < length) && !is_first) chunk.put(k, op(before, chunk.template take<value>(k)));
      }
      if (now.with_head != 0 && lanes_with_head == 0) {
        lanes_with_head = now.with_head;
        bits_there = bits;
        round_there = r;
      }
      sum = now.through(op, sum, r);
    }
    // Not in the loop: with a branch there 2^28 double took 1 to 2 % longer (H200, 2026-11-22).
    first_head = static_cast<int>(warp_elements);
    if (lanes_with_head != 0) {
      int const from = Lanes::lowest_set_bit(lanes_with_head);
      first_head = values_tile::place(round_there, from) + lowest_bit(Lanes::shuffle(bits_there, from));
    }
    return {sum, lanes_with_head != 0};
  }

  /// The same for another warp's run, from the input, by the same expression; keeps nothing.
  KOKKOS_FUNCTION static state fold_input(Problem const& p, std::size_t first, int lane) {
    auto const& op = p.out.monoid;
    int const length = run_length(p, first);
    state sum{op.identity(), false};
    UPSWEEP_NO_UNROLL
    for (int r = 0; r < rounds; ++r) {
      int const begin = values_tile::place(r, lane);
      std::uint32_t const bits = heads_of_round<per_round, false>(p.in.heads, first, begin, length);
      value own = op.identity();
      for (int k = 0; k < per_round && begin + k < length; ++k)
        own = next(op, own, p.in.in.load(first + static_cast<std::size_t>(begin + k)), k == 0 || (bits >> k & 1u) != 0);
      round const now(op, own, bits, lane);
      sum = {now.through(op, sum.value, r), sum.head || now.with_head != 0};
    }
    return sum;
  }

  /// Puts `prefix`, that of the warp's run, in front of what is before the first head, and stores the results.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void scan(Problem const& p, std::size_t first, int length, int lane, state const& prefix) const {
    auto const& op = p.out.monoid;
    auto const all = values_of(p);
    UPSWEEP_UNROLL
    for (int r = 0; r < rounds; ++r) {
      int const begin = values_tile::place(r, lane);
      values_tile::template store_round<Whole>(all, first, length, r, lane, [&](int k) {
        if (!Problem::inclusive && r == 0 && k == 0 && lane == 0) return lower<output>(op, first_head == 0 ? op.identity() : prefix.value);
        value const own = values.held[r].template take<value>(k);
        return lower<output>(op, begin + k < first_head ? op(prefix.value, own) : own);
      });
    }
  }

 private:
  /// The lanes' scan of a round.
  struct round {
    typename Lanes::mask with_head;
    value inclusive;

    /// own: the lane's fold since its last head.
    template <class Monoid>
    KOKKOS_FORCEINLINE_FUNCTION round(Monoid const& op, value const& own, std::uint32_t bits, int lane)
        : with_head(Lanes::ballot(bits != 0)) {
      auto const up_to_this = static_cast<typename Lanes::mask>(with_head & ~Lanes::lanes_above());
      inclusive = scan_lanes_from<Lanes>(op, own, up_to_this == 0 ? 0 : Lanes::highest_set_bit(up_to_this), lane);
    }
    /// The fold since the last head of the run, in every lane; sum: of the rounds before.
    template <class Monoid>
    KOKKOS_FORCEINLINE_FUNCTION value through(Monoid const& op, value const& sum, int r) const {
      value const last = Lanes::shuffle(inclusive, Lanes::size - 1);
      return r == 0 || with_head != 0 ? last : op(sum, last);
    }
  };

  template <class Monoid, class Input>
  KOKKOS_FORCEINLINE_FUNCTION static value next(Monoid const& op, value const& before, Input const& x, bool anew) {
    value const lifted = lift(op, x);
    return anew ? lifted : static_cast<value>(op(before, lifted));
  }
  KOKKOS_FORCEINLINE_FUNCTION static int lowest_bit(std::uint32_t bits) { return Kokkos::Experimental::countr_zero_builtin(bits); }

  KOKKOS_FORCEINLINE_FUNCTION static values_problem values_of(Problem const& p) { return {p.in.in, p.out.out, p.out.monoid, {}, p.n, {}}; }
};

/// The tile of a scan in one pass.
template <class Problem, class Shape, class Lanes>
using tile_in_one_pass = std::conditional_t<takes_segmented_tile<Problem>::value, segmented_striped_tile<Problem, Shape, Lanes>,
                                            striped_tile<Problem, Shape, Lanes>>;

}  // namespace upsweep::detail
