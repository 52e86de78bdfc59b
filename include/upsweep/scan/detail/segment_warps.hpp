// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/byte_layout.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/lanes.hpp>
#include <upsweep/scan/detail/look_back_memory.hpp>
#include <upsweep/scan/detail/pipeline_launch.hpp>
#include <upsweep/scan/detail/segment_pieces.hpp>
#include <upsweep/scan/detail/segment_problem.hpp>
#include <upsweep/scan/detail/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

// Reductions of segments by warps that do not wait for each other: one launch, whatever the lengths are.
//
//   rows     groups of lanes, as many as fit the mean length, have a segment each. A lane folds neighbours, and lanes meet once. What is
//            too long for that is folded by the whole warp, one segment after the other; what is longer than longest_of_warp is left to
//   pieces   the teams behind those: a warp has a few pieces of the input side by side (segment_pieces.hpp).
//
// Memory: elements are read once, offsets twice.
// Association: fixed by where a segment lies, n and the number of segments.
// Progress: nobody waits.

template <class Problem, class Shapes, class Lanes>
struct segments_kernel {
  using state = typename Problem::state;
  using pieces_type = segment_pieces<Problem, typename Shapes::shape, Lanes>;
  static constexpr int warps = Shapes::shape::warps;
  static constexpr int team_size = warps * Lanes::size;
  struct scan {};
  struct shared {};

  Problem problem;
  pieces_type pieces;
  std::size_t row_teams;
  int group_bits;                ///< 2^group_bits lanes have a segment
  std::size_t longest_of_group;  ///< elements

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(scan, Member const& m) const {
    auto const team = static_cast<std::size_t>(m.league_rank());
    if (team >= row_teams) return pieces(problem, m, team - row_teams, static_cast<std::size_t>(m.league_size()) - row_teams);
    int const lane = m.team_rank() % Lanes::size;
    std::size_t const a_warp = static_cast<std::size_t>(Lanes::size >> group_bits), a_team = a_warp * warps;
    std::size_t const first = team * a_team + static_cast<std::size_t>(Lanes::uniform(m.team_rank() / Lanes::size)) * a_warp;
    for (std::size_t s = first; s < problem.segments; s += row_teams * a_team) segments(s, s + a_warp, lane);
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
    bool const by_warp = is_there && !by_group && length <= pieces.longest_of_warp;
    for (auto others = Lanes::ballot(by_warp && place == 0); others != 0; others &= others - 1) {
      int const from_lane = Lanes::lowest_set_bit(others);
      state const all = pieces.fold(Lanes::shuffle(begin, from_lane), Lanes::shuffle(end, from_lane), lane);
      if (lane == from_lane) problem.store(s, all);
    }
  }

  /// The fold of a segment, in the first lane of a group: a stretch a lane.
  KOKKOS_FORCEINLINE_FUNCTION state fold_group(std::size_t begin, int length, int place, int lane) const {
    auto const& op = problem.monoid;
    constexpr int together = Shapes::together;
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
};

/// How segments of n elements are dealt with.
template <class Problem, class Shapes, class Lanes>
struct segment_plan {
  using state = typename Problem::state;
  using kernel = segments_kernel<Problem, Shapes, Lanes>;
  using pieces_type = typename kernel::pieces_type;

  int group_bits = 0;
  std::size_t longest_of_group, longest_of_warp, piece_size, pieces;

  static_assert(Shapes::longest_stretch * Lanes::size <= Shapes::longest_of_warp,
                "upsweep: what is too long for a warp has to be too long for its lanes.");

  segment_plan(std::size_t segments, std::size_t n) {
    std::size_t const mean = divide_up(n, std::max<std::size_t>(segments, 1));
    while ((1 << group_bits) < Lanes::size && (Shapes::stretch << group_bits) < mean) ++group_bits;
    longest_of_group = Shapes::longest_stretch << group_bits;
    std::size_t const block = pieces_type::fold_type::block_size;
    piece_size = block * std::clamp<std::size_t>(n / block / Shapes::most_pieces, 1, Shapes::most_blocks);
    longest_of_warp = std::max(piece_size, std::size_t(Shapes::longest_of_warp));
    pieces = n <= longest_of_warp ? 0 : divide_up(n, piece_size);
  }

  std::size_t row_teams(std::size_t segments) const {
    return std::min(divide_up(segments, static_cast<std::size_t>(kernel::team_size >> group_bits)), std::size_t(1) << 30);
  }
  std::size_t piece_teams(std::size_t most) const { return std::min(divide_up<std::size_t>(pieces, kernel::warps), most); }
  /// Of the region that a look-back needs, and of the pieces' sums.
  std::size_t region_bytes() const { return sizeof(std::uint64_t) * (control_words + pieces); }
  std::size_t bytes() const {
    byte_layout layout;
    layout.add<state>(pieces);
    return layout.bytes();
  }

  template <class ExecutionSpace>
  kernel kernel_for(Problem const& problem, std::byte* sums, look_back_memory const& memory) const {
    auto const region = make_prefixes<typename pieces_type::region_type, ExecutionSpace>(memory, pieces, false);
    return {problem,
            {{problem.in, problem.monoid}, reinterpret_cast<state*>(sums), region, piece_size, pieces, longest_of_warp},
            row_teams(problem.segments), group_bits, longest_of_group};
  }
};

/// Pre: problem.segments > 0; memory as the plan asks for.
template <class Shapes, class ExecutionSpace, class Problem, class Plan>
void reduce_segments_by_warps(ExecutionSpace const& space, Problem const& problem, Plan const& plan, std::byte* sums,
                              look_back_memory const& memory, scan_names const& names) {
  auto const kernel = plan.template kernel_for<ExecutionSpace>(problem, sums, memory);
  auto const most = static_cast<std::size_t>(compat::multiprocessors(space)) * Shapes::shape::teams;
  launch_pipeline<Shapes::shape::teams>(space, kernel, kernel.row_teams + plan.piece_teams(most), "segments", names);
}

}  // namespace upsweep::detail
