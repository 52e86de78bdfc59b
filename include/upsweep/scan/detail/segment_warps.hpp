// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/byte_layout.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/lanes.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/look_back_memory.hpp>
#include <upsweep/scan/detail/pipeline_launch.hpp>
#include <upsweep/scan/detail/segment_problem.hpp>
#include <upsweep/scan/detail/striped_tile.hpp>
#include <upsweep/scan/detail/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

// Reductions of segments by warps that do not wait for each other: two launches, whatever the lengths are.
//
//   segments   groups of lanes, as many as fit the mean length, have a segment each. A lane folds neighbours, and lanes meet once. What is
//              too long for that is folded by the whole warp, one segment after the other; what is longer than longest_of_warp is cut into
//              pieces, which are put on a list.
//   pieces     warps go through the list. The one that ends the last piece of a segment folds what the pieces have left.
//
// Shared state: the list, its length (look_back_control::ticket; `finished` counts teams, and the last one clears both for the next call)
// and a count of the pieces done for each long segment. Atomics hand out places on the list, in any order; what a piece is depends on its
// segment alone.
// Memory: elements are read once, offsets twice; the list is 24 bytes and a state a piece.
// Memory order: a warp's state of a piece comes before its count, and who counts last reads the states behind that: fences.
// Association: fixed by where a segment lies, n and the number of segments.
// Progress: nobody waits.

/// A monoid whose elements are states.
template <class Monoid>
struct states_only {
  using value_type = typename Monoid::value_type;
  Monoid op;
  KOKKOS_FUNCTION value_type identity() const { return op.identity(); }
  KOKKOS_FUNCTION value_type operator()(value_type const& left, value_type const& right) const { return op(left, right); }
};

/// Folds elements side by side by a warp, in blocks of up to Bytes bytes a lane.
template <class In, class Monoid, int Bytes, class Lanes>
struct warp_fold {
  using state = typename Monoid::value_type;
  using problem = scan_problem<In, no_output<state>, Monoid, false>;
  using block = striped_tile<problem, striped_shape<1, Bytes, 1>, Lanes>;
  static constexpr std::size_t block_size = block::warp_elements;
  /// Where 16 bytes begin, if the sequence does at such a place.
  static constexpr std::size_t unit = block::per_round;

  In in;
  Monoid op;
  bool by_chunks;

  warp_fold(In const& sequence, Monoid const& monoid)
      : in(sequence), op(monoid), by_chunks(block::goes_by_chunks({sequence, {}, monoid, {monoid.identity()}, 0, {}})) {}
  /// In kernels: of what lies at a multiple of 16 bytes.
  KOKKOS_FORCEINLINE_FUNCTION warp_fold(In const& sequence, Monoid const& monoid, bool chunks)
      : in(sequence), op(monoid), by_chunks(chunks) {}

  /// The fold of elements [begin, end), in every lane. Pre: begin < end.
  KOKKOS_FORCEINLINE_FUNCTION state operator()(std::size_t begin, std::size_t end, int lane) const {
    problem const p{in, {}, op, {op.identity()}, end, {}};
    std::size_t const whole = block_size;  // nvcc: a constant has no address
    // The first block is such that the next one begins at a unit.
    std::size_t at = begin + Kokkos::min(end - begin, whole - begin % unit);
    state sum = op.identity();
    if (at - begin == whole && by_chunks) sum = fold_block<true>(p, begin, whole, lane);
    else sum = fold_block<false>(p, begin, at - begin, lane);
    UPSWEEP_NO_UNROLL
    for (; by_chunks && at + whole <= end; at += whole) sum = op(sum, fold_block<true>(p, at, whole, lane));
    UPSWEEP_NO_UNROLL
    for (; at < end; at += whole) sum = op(sum, fold_block<false>(p, at, Kokkos::min(end - at, whole), lane));
    return sum;
  }

 private:
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION static state fold_block(problem const& p, std::size_t first, std::size_t length, int lane) {
    block b;
    b.template load<Whole>(p, first, static_cast<int>(length), lane);
    return b.template reduce<Whole>(p, first, static_cast<int>(length), lane);
  }
};

/// Where pieces of long segments are kept.
template <class State>
struct piece_list {
  std::uint64_t* segment;  ///< of each piece; `none` for an unused place
  std::uint64_t* first;    ///< place of its segment's first piece
  std::uint64_t* done;     ///< at that place: pieces of the segment that are done
  State* sums;
  std::uint64_t room;
  std::size_t piece_size;
  std::size_t unit;  ///< pieces but the first begin at multiples of this
  look_back_control* control;
  static constexpr std::uint64_t none = ~std::uint64_t(0);

  KOKKOS_FUNCTION std::size_t begin_of(std::size_t piece, std::size_t begin, std::size_t end) const {
    if (piece == 0) return begin;
    return Kokkos::min(end, (begin + unit - 1) / unit * unit + piece * piece_size);
  }
  KOKKOS_FUNCTION std::uint64_t pieces_of(std::size_t begin, std::size_t end) const {
    std::size_t const from = (begin + unit - 1) / unit * unit;
    return from >= end ? 1 : (end - from + piece_size - 1) / piece_size;
  }
};

template <class Problem, class Shape, class Lanes>
struct segments_kernel {
  using state = typename Problem::state;
  using monoid_type = typename Problem::monoid_type;
  using input = typename Problem::input_type::value_type;
  using fold_type = warp_fold<typename Problem::input_type, monoid_type, Shape::bytes_per_thread, Lanes>;
  static constexpr int warps = Shape::warps;
  static constexpr int team_size = warps * Lanes::size;
  struct scan {};
  struct shared {};

  Problem problem;
  fold_type fold;
  piece_list<state> list;
  int group_bits;                ///< 2^group_bits lanes have a segment
  std::size_t longest_of_group;  ///< elements
  std::size_t longest_of_warp;

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(scan, Member const& m) const {
    int const lane = m.team_rank() % Lanes::size;
    std::size_t const a_warp = static_cast<std::size_t>(Lanes::size >> group_bits), a_team = a_warp * warps;
    std::size_t const first = static_cast<std::size_t>(m.league_rank()) * a_team +
                              static_cast<std::size_t>(Lanes::uniform(m.team_rank() / Lanes::size)) * a_warp;
    for (std::size_t s = first; s < problem.segments; s += static_cast<std::size_t>(m.league_size()) * a_team)
      segments(s, s + a_warp, lane);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void segments(std::size_t from, std::size_t to, int lane) const {
    int const place = lane & ((1 << group_bits) - 1);
    std::size_t const s = from + static_cast<std::size_t>(lane >> group_bits);
    bool const is_there = s < Kokkos::min(to, problem.segments);
    std::size_t begin = 0, end = 0;
    if (is_there) {
      bool const starts_wrong = s == 0 && problem.report(0);
      bool const wrong = problem.report(s + 1) || starts_wrong;
      // Of a segment with a wrong offset nothing is read. Offset s is judged with the segment before, if there is one; a negative one
      // is large.
      if (!wrong && problem.offset(s) <= problem.offset(s + 1)) {
        begin = problem.offset(s);
        end = problem.offset(s + 1);
      }
    }
    std::size_t const length = end - begin;
    bool const by_group = length <= longest_of_group;
    state const sum = fold_group(begin, by_group ? static_cast<int>(length) : 0, place, lane);
    if (is_there && by_group && place == 0) problem.store(s, sum);
    for (auto others = Lanes::ballot(is_there && !by_group && place == 0); others != 0; others &= others - 1) {
      int const from_lane = Lanes::lowest_set_bit(others);
      by_warp(Lanes::shuffle(s, from_lane), Lanes::shuffle(begin, from_lane), Lanes::shuffle(end, from_lane), lane);
    }
  }

  /// The fold of a segment, in the first lane of a group: a stretch a lane.
  KOKKOS_FORCEINLINE_FUNCTION state fold_group(std::size_t begin, int length, int place, int lane) const {
    auto const& op = problem.monoid;
    constexpr int together = 4;  // loads on their way
    int const group = 1 << group_bits, stretch = (length + group - 1) >> group_bits;
    int const from = place * stretch, to = Kokkos::min(length, from + stretch);
    state sum = op.identity();
    UPSWEEP_NO_UNROLL
    for (int i = from; i < to; i += together) {
      state x[together];
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) x[k] = lift(op, problem.in.load(begin + static_cast<std::size_t>(Kokkos::min(i + k, to - 1))));
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) {
        if (i + k == from) sum = x[k];
        else if (i + k < to) sum = op(sum, x[k]);
      }
    }
    for (int bit = 1; bit < group; bit *= 2) {
      state const both = join_lanes<Lanes>(op, sum, sum, bit, lane);
      // A lane that has nothing adds nothing, not even the identity.
      if (((place & ~(2 * bit - 1)) + bit) * stretch < length) sum = both;
    }
    return sum;
  }

  /// A segment that is too long for a group.
  KOKKOS_FORCEINLINE_FUNCTION void by_warp(std::size_t s, std::size_t begin, std::size_t end, int lane) const {
    if (end - begin <= longest_of_warp) {
      state const sum = fold(begin, end, lane);
      if (lane == 0) problem.store(s, sum);
      return;
    }
    std::uint64_t const count = list.pieces_of(begin, end);
    std::uint64_t first = 0;
    if (lane == 0) first = Kokkos::atomic_fetch_add(&list.control->ticket, count);
    first = Lanes::shuffle(first, 0);
    // With wrong offsets there may be more pieces than elements.
    bool const fits = first + count <= list.room;
    for (std::uint64_t k = first + static_cast<std::uint64_t>(lane); k < Kokkos::min(first + count, list.room); k += Lanes::size) {
      list.segment[k] = fits ? s : list.none;
      list.first[k] = first;
      if (k == first) list.done[k] = 0;
    }
  }
};

template <class Problem, class Shape, class Lanes>
struct pieces_kernel {
  using state = typename Problem::state;
  using monoid_type = typename Problem::monoid_type;
  using fold_type = warp_fold<typename Problem::input_type, monoid_type, Shape::bytes_per_thread, Lanes>;
  using sums_type = warp_fold<contiguous_sequence<state const>, states_only<monoid_type>, Shape::bytes_per_thread, Lanes>;
  static constexpr int warps = Shape::warps;
  static constexpr int team_size = warps * Lanes::size;
  struct scan {};
  struct shared {};

  Problem problem;
  fold_type fold;
  piece_list<state> list;

  template <class Member>
  KOKKOS_FUNCTION void operator()(scan, Member const& m) const {
    int const lane = m.team_rank() % Lanes::size;
    std::uint64_t const count = Kokkos::min(compat::load_word(&list.control->ticket), list.room);
    std::uint64_t const stride = static_cast<std::uint64_t>(m.league_size()) * warps;
    for (std::uint64_t k = static_cast<std::uint64_t>(m.league_rank()) * warps +
                           static_cast<std::uint64_t>(Lanes::uniform(m.team_rank() / Lanes::size));
         k < count; k += stride)
      if (list.segment[k] != list.none) piece(k, lane);
    m.team_barrier();  // all have read the list's length
    if (m.team_rank() == 0 &&
        Kokkos::atomic_fetch_add(&list.control->finished, std::uint64_t(1)) + 1 == static_cast<std::uint64_t>(m.league_size())) {
      compat::store_word(&list.control->ticket, std::uint64_t(0));
      compat::store_word(&list.control->finished, std::uint64_t(0));
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void piece(std::uint64_t k, int lane) const {
    auto const s = static_cast<std::size_t>(list.segment[k]);
    std::uint64_t const first = list.first[k];
    std::size_t const begin = problem.offset(s), end = problem.offset(s + 1), number = static_cast<std::size_t>(k - first);
    state const sum = fold(list.begin_of(number, begin, end), list.begin_of(number + 1, begin, end), lane);
    bool last = false;
    std::uint64_t const count = list.pieces_of(begin, end);
    if (lane == 0) {
      list.sums[k] = sum;
      Kokkos::memory_fence();
      last = Kokkos::atomic_fetch_add(&list.done[first], std::uint64_t(1)) + 1 == count;
    }
    if (Lanes::ballot(last) == 0) return;
    Kokkos::memory_fence();
    Lanes::sync();
    // From the segment's first sum on: its place on the list depends on who came first, and the result must not.
    sums_type const sums({list.sums + first}, {problem.monoid}, first % sums_type::unit == 0);
    state const all = sums(0, static_cast<std::size_t>(count), lane);
    if (lane == 0) problem.store(s, all);
  }
};

/// How segments of n elements are dealt with.
template <class Problem, class Shapes, class Lanes>
struct segment_plan {
  using state = typename Problem::state;
  using pieces = pieces_kernel<Problem, typename Shapes::pieces, Lanes>;
  using rows = segments_kernel<Problem, typename Shapes::rows, Lanes>;

  int group_bits;
  std::size_t longest_of_group, longest_of_warp = Shapes::longest_of_warp;
  std::size_t piece_size, room;

  segment_plan(std::size_t segments, std::size_t n) {
    std::size_t const mean = divide_up(n, std::max<std::size_t>(segments, 1));
    group_bits = 0;
    while ((1 << group_bits) < Lanes::size && (Shapes::stretch << group_bits) < mean) ++group_bits;
    longest_of_group = Shapes::longest_stretch << group_bits;
    std::size_t const block = pieces::fold_type::block_size;
    piece_size = block * std::clamp<std::size_t>(n / block / Shapes::most_pieces, 1, Shapes::most_blocks);
    room = n <= longest_of_warp ? 0 : n / piece_size + n / longest_of_warp + 1;
  }

  /// The list in memory, behind what is laid out; the control block is zero.
  template <class Layout>
  std::size_t add_to(Layout& layout) const {
    std::size_t const at = layout.template add<std::uint64_t>(3 * room);
    layout.template add<state>(room);
    return at;
  }
  piece_list<state> list(std::byte* memory, look_back_control* control) const {
    auto* const words = reinterpret_cast<std::uint64_t*>(memory);
    byte_layout layout;
    layout.add<std::uint64_t>(3 * room);
    auto* const sums = reinterpret_cast<state*>(memory + layout.bytes());
    return {words, words + room, words + 2 * room, sums, room, piece_size, pieces::fold_type::unit, control};
  }
};

/// Pre: problem.segments > 0; memory as the plan has laid it out.
template <class Shapes, class ExecutionSpace, class Problem, class Plan>
void reduce_segments_by_warps(ExecutionSpace const& space, Problem const& problem, Plan const& plan, std::byte* memory,
                              look_back_control* control, scan_names const& names) {
  using rows = typename Plan::rows;
  using pieces = typename Plan::pieces;
  auto const list = plan.list(memory, control);
  std::size_t const a_team = static_cast<std::size_t>(rows::team_size >> plan.group_bits);
  std::size_t const teams = std::min<std::size_t>(divide_up(problem.segments, a_team), std::size_t(1) << 30);
  launch_pipeline<Shapes::rows::teams>(space,
                                       rows{problem,
                                            {problem.in, problem.monoid},
                                            list,
                                            plan.group_bits,
                                            plan.longest_of_group,
                                            plan.longest_of_warp},
                                       teams, "segments", names);
  if (plan.room == 0) return;
  auto const most = static_cast<std::size_t>(compat::multiprocessors(space)) * Shapes::pieces::teams;
  launch_pipeline<Shapes::pieces::teams>(space, pieces{problem, {problem.in, problem.monoid}, list},
                                         std::min(divide_up<std::size_t>(plan.room, pieces::warps), most), "pieces", names);
}

}  // namespace upsweep::detail
