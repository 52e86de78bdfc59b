// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/scan/detail/segments/head_stripes.hpp>
#include <upsweep/scan/detail/segments/offset_heads.hpp>
#include <upsweep/scan/detail/segments/segmented_sequences.hpp>
#include <upsweep/scan/detail/tiles/striped_tile.hpp>
#include <upsweep/scan/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// The scan of a segmented problem's values, as if there were one segment.
template <class Problem>
using problem_of_values = scan_problem<decltype(Problem::in.in), decltype(Problem::out.out),
                                       decltype(Problem::out.monoid), Problem::inclusive>;

/// Whether a problem is a segmented scan of values that a segmented_tile takes: those that are scanned where they are.
/// Others go as pairs of value and head.
template <class Problem>
struct takes_segmented_tile : std::false_type {};
template <class Problem>
  requires is_segmented_problem<Problem>
struct takes_segmented_tile<Problem>
    : std::bool_constant<
          striped_tile<problem_of_values<Problem>, engine::striped_shape<1, 16, 1>>::scans_in_registers> {};

/// Whether a warp finds the heads of its run, and of all its lanes, by itself; others are asked for each element.
template <class Heads>
inline constexpr bool marks_runs = false;
template <class Offsets>
inline constexpr bool marks_runs<offset_heads<Offsets>> = true;

/// One thread's part of a tile that restarts at each head, for values that are scanned where they are. Elements come
/// and go as in a striped_tile. In between the warp transposes them in scratch, and a lane has neighbouring elements,
/// its stretch. So there is one scan of the lanes per tile and not one per round, and what comes from the left is
/// combined only with elements that follow no head of their lane.
///
/// Association, from the last head on: (prefix * sums of the lanes before) * elements before, each in its order.
/// Whether elements come in chunks or alone makes no difference.
template <class Problem, class Shape, class Lanes>
struct segmented_tile {
  using values_problem = problem_of_values<Problem>;
  using values_tile = striped_tile<values_problem, Shape, Lanes>;
  using heads_type = decltype(Problem::in.heads);
  using value = typename values_problem::state;
  using state = typename Problem::state;
  using output = typename values_problem::output;
  using rows = head_stripes<heads_type, values_tile::per_round, values_tile::rounds, Lanes>;
  static constexpr int per_round = values_tile::per_round;
  static constexpr int rounds = values_tile::rounds;
  static constexpr int slot = values_tile::slot;
  static constexpr int stretch = per_round * rounds;  ///< elements of a lane
  static constexpr int words = stretch * Lanes::size / 32;
  static constexpr std::size_t warp_elements = values_tile::warp_elements;
  static constexpr std::size_t size = values_tile::size;
  static_assert(stretch <= 32,
                "upsweep: a lane of a segmented tile has up to 32 elements: Shape::bytes_per_thread is too large.");

  /// Scratch in which a warp transposes its elements. A lane has an odd number of chunks: then its stretch is in other
  /// banks than its neighbours'.
  struct exchange {
    using chunk = internal::element_chunk<slot, values_tile::bytes>;
    static constexpr int pitch = rounds | 1;
    chunk chunks[Lanes::size * pitch];
    /// One bit per element: a byte for each lane's part of a round, or words of neighbours.
    std::conditional_t<marks_runs<heads_type>, std::uint32_t, std::uint8_t>
        heads[marks_runs<heads_type> ? words : Lanes::size * rounds];

    /// The place of the chunk that a lane has in a round.
    KOKKOS_FORCEINLINE_FUNCTION static int place(int r, int lane) {
      int const at = r * Lanes::size + lane;
      return pitch == rounds ? at : at / rounds * pitch + at % rounds;
    }
  };

  values_tile values;
  rows rows_of_heads;
  value before;    ///< the fold of the lanes before, since the last head
  bool is_closed;  ///< there is a head in the lanes before
  int first_head;  ///< of the lane; `stretch` if there is none

  static bool goes_by_chunks(Problem const& p) {
    return values_tile::goes_by_chunks(values_of(p)) && rows::goes_by_chunks(p.in.heads);
  }

  KOKKOS_FORCEINLINE_FUNCTION static int run_length(Problem const& p, std::size_t first) {
    return values_tile::run_length(values_of(p), first);
  }

  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void load(Problem const& p, std::size_t first, int length, int lane) {
    rows_of_heads.template load<Whole>(p.in.heads, first, length, lane);
    values.template load<Whole>(values_of(p), first, length, lane);
  }

  /// The fold of the warp's run since its last head, in every lane. Leaves each element's result without what comes
  /// from the left of the lane's stretch.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION state fold(Problem const& p, std::size_t first, int length, exchange& scratch, int lane) {
    auto const& op = p.out.monoid;
    std::uint32_t const heads = turn<Whole>(p, first, length, scratch, lane);
    int const there = Whole ? stretch : elements_of_lane(length, lane);
    value own = op.identity();
    UPSWEEP_UNROLL
    for (int k = 0; k < stretch; ++k) {
      if (Whole || k < there) {
        auto& chunk = values.held[k / per_round];
        bool const head = (heads >> k & 1u) != 0;
        value through = internal::lift(op, chunk.template take<typename values_tile::input>(k % per_round));
        if (k > 0 && !head) through = op(own, through);
        if constexpr (Problem::inclusive) {
          chunk.put(k % per_round, through);
        } else if (k > 0 || head) {
          value left = own;
          if (head) left = op.identity();
          chunk.put(k % per_round, left);
        }
        own = through;
      }
    }
    lanes_fold const lanes(op, own, heads, lane);
    before = Lanes::shuffle_up(lanes.inclusive, 1);
    is_closed = (lanes.with_head & Lanes::lanes_below()) != 0;
    first_head = heads == 0 ? stretch : Kokkos::Experimental::countr_zero_builtin(heads);
    return lanes.sum();
  }

  /// While the prefix is waited for: reports what is wrong with the heads.
  KOKKOS_FORCEINLINE_FUNCTION static void check_heads(Problem const& p, std::size_t first, int lane) {
    if constexpr (marks_runs<heads_type>) {
      if (first < p.n)
        p.in.heads.template check<Lanes>(first / warp_elements, (p.n + warp_elements - 1) / warp_elements, lane);
    }
  }

  /// The same for another warp's run, from the input, by the same expression; keeps nothing.
  KOKKOS_FUNCTION static state fold_input(Problem const& p, std::size_t first, int lane) {
    auto const& op = p.out.monoid;
    int const begin = lane * stretch, there = elements_of_lane(run_length(p, first), lane);
    std::uint32_t heads = 0;
    value own = op.identity();
    UPSWEEP_NO_UNROLL
    for (int k = 0; k < there; ++k) {
      std::size_t const i = first + static_cast<std::size_t>(begin + k);
      bool const head = p.in.heads.at(i);
      value const x = internal::lift(op, p.in.in.load(i));
      if (k == 0 || head) own = x;
      else own = op(own, x);
      if (head) heads |= 1u << k;
    }
    return lanes_fold(op, own, heads, lane).sum();
  }

  /// Puts `prefix`, that of the warp's run, in front of what is before the first head, and stores the results.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void scan(Problem const& p, std::size_t first, int length, exchange& scratch, int lane,
                                        state const& prefix) {
    auto const& op = p.out.monoid;
    value left = before;
    if (lane == 0) left = prefix.value;
    else if (!is_closed) left = op(prefix.value, before);
    // Of elements that do not exist there is no state.
    int const open = Whole ? first_head : Kokkos::min(first_head, elements_of_lane(length, lane));
    UPSWEEP_UNROLL
    for (int k = 0; k < stretch; ++k) {
      auto& chunk = values.held[k / per_round];
      if (k >= open) continue;
      if (!Problem::inclusive && k == 0) chunk.put(0, left);
      else chunk.put(k % per_round, op(left, chunk.template take<value>(k % per_round)));
    }
    if constexpr (rounds > 1) {
      UPSWEEP_UNROLL
      for (int r = 0; r < rounds; ++r) scratch.chunks[lane * exchange::pitch + r] = values.held[r];
      Lanes::sync();
      UPSWEEP_UNROLL
      for (int r = 0; r < rounds; ++r) values.held[r] = scratch.chunks[exchange::place(r, lane)];
    }
    auto const all = values_of(p);
    UPSWEEP_UNROLL
    for (int r = 0; r < rounds; ++r)
      values_tile::template store_round<Whole>(all, first, length, r, lane, [&](int k) {
        return internal::lower<output>(op, values.held[r].template take<value>(k));
      });
  }

 private:
  /// Elements of a lane's stretch that exist, in a run of so many.
  KOKKOS_FORCEINLINE_FUNCTION static int elements_of_lane(int length, int lane) {
    return Kokkos::clamp(length - lane * stretch, 0, int(stretch));
  }

  /// From rounds to stretches: the values, and one bit per element for the heads.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t turn(Problem const& p, std::size_t first, int length, exchange& scratch,
                                                 int lane) {
    // The search goes on while the values are in flight.
    if constexpr (marks_runs<heads_type>)
      p.in.heads.template mark<Lanes>(scratch.heads, words, first, Whole ? static_cast<int>(warp_elements) : length,
                                      lane);
    else if constexpr (rounds == 1) return rows_of_heads.template bits<Whole>(p.in.heads, first, length, 0, lane);
    if constexpr (rounds > 1) {
      UPSWEEP_UNROLL
      for (int r = 0; r < rounds; ++r) {
        scratch.chunks[exchange::place(r, lane)] = values.held[r];
        if constexpr (!marks_runs<heads_type>) {
          std::uint32_t const bits = rows_of_heads.template bits<Whole>(p.in.heads, first, length, r, lane);
          scratch.heads[r * Lanes::size + lane] = static_cast<std::uint8_t>(bits);
        }
      }
      Lanes::sync();
      UPSWEEP_UNROLL
      for (int r = 0; r < rounds; ++r) values.held[r] = scratch.chunks[lane * exchange::pitch + r];
    }
    std::uint32_t heads = 0;
    if constexpr (marks_runs<heads_type>) {
      heads = bits_of_stretch<stretch>(scratch.heads, lane * stretch);
    } else {
      UPSWEEP_UNROLL
      for (int r = 0; r < rounds; ++r)
        heads |= static_cast<std::uint32_t>(scratch.heads[lane * rounds + r]) << (r * per_round);
    }
    return heads;
  }

  /// The lanes' scan of what they have since their last heads.
  struct lanes_fold {
    typename Lanes::mask with_head;
    value inclusive;

    template <class Monoid>
    KOKKOS_FORCEINLINE_FUNCTION lanes_fold(Monoid const& op, value const& own, std::uint32_t heads, int lane)
        : with_head(Lanes::ballot(heads != 0)) {
      auto const up_to_this = static_cast<typename Lanes::mask>(with_head & ~Lanes::lanes_above());
      inclusive =
          internal::scan_lanes_from<Lanes>(op, own, up_to_this == 0 ? 0 : Lanes::highest_set_bit(up_to_this), lane);
    }
    KOKKOS_FORCEINLINE_FUNCTION state sum() const {
      return {Lanes::shuffle(inclusive, Lanes::size - 1), with_head != 0};
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION static values_problem values_of(Problem const& p) {
    return {p.in.in, p.out.out, p.out.monoid, {}, p.n, {}};
  }
};

/// The tile of a scan in one pass.
template <class Problem, class Shape, class Lanes>
using tile_in_one_pass = std::conditional_t<takes_segmented_tile<Problem>::value, segmented_tile<Problem, Shape, Lanes>,
                                            striped_tile<Problem, Shape, Lanes>>;

}  // namespace upsweep::scan::detail
