// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/one_pass/pipeline_launch.hpp>
#include <upsweep/scan/detail/reduce/segment_pieces.hpp>
#include <upsweep/scan/detail/reduce/segment_teams.hpp>
#include <upsweep/scan/detail/segments/segment_problem.hpp>
#include <upsweep/scan/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

// Reductions of segments by warps that do not wait for each other: one launch, whatever the lengths are.
//
//   rows     groups of lanes, as many as fit the mean length, have a segment each. A lane folds neighbours, and lanes
//            meet once. What is too long for that is folded by the whole warp, one segment after the other. Where the
//            mean length is larger, groups of warps have a segment each (segment_teams.hpp). What is longer than
//            longest_whole is left to
//   pieces   the first teams: a warp has a few pieces of the input side by side (segment_pieces.hpp).
//
// Memory: elements are read once, offsets twice.
// Association: fixed by where a segment lies, n and the number of segments.
// Progress: nobody waits.
// Groups of lanes and of warps are two kernels (ByWarps): in one, nvcc 13 had too few registers for either, and
// segments of 100 elements took 16 % longer (int32, 2^28), of double 40 %.

template <class Problem, class Shapes, class Lanes, bool ByWarps>
struct segments_kernel {
  using state = typename Problem::state;
  using shape = std::conditional_t<ByWarps, typename Shapes::team_shape, typename Shapes::shape>;
  using pieces_type = segment_pieces<Problem, shape, Lanes>;
  using teams_type = segment_teams<Problem, shape, Lanes>;
  static constexpr int warps = shape::warps;
  static constexpr int team_size = warps * Lanes::size;
  struct scan {};
  struct nothing {};
  using shared = std::conditional_t<ByWarps, typename teams_type::shared, nothing>;

  Problem problem;
  pieces_type pieces;
  std::size_t piece_teams;       ///< they come first: they have more to do
  int group_bits;                ///< 2^group_bits lanes or warps have a segment
  std::size_t longest_of_group;  ///< elements, for lanes

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(scan, Member const& m) const {
    if (static_cast<std::size_t>(m.league_rank()) < piece_teams)
      return pieces(problem, m, static_cast<std::size_t>(m.league_rank()), piece_teams);
    std::size_t const team = static_cast<std::size_t>(m.league_rank()) - piece_teams,
                      row_teams = static_cast<std::size_t>(m.league_size()) - piece_teams;
    if constexpr (ByWarps) teams_type{}(problem, pieces.fold, group_bits, pieces.longest_whole, m, team, row_teams);
    else rows(m, team, row_teams);
  }

 private:
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void rows(Member const& m, std::size_t team, std::size_t row_teams) const {
    int const lane = m.team_rank() % Lanes::size;
    std::size_t const a_warp = static_cast<std::size_t>(Lanes::size >> group_bits), a_team = a_warp * warps;
    std::size_t const first =
        team * a_team + static_cast<std::size_t>(Lanes::uniform(m.team_rank() / Lanes::size)) * a_warp;
    for (std::size_t s = first; s < problem.segments; s += row_teams * a_team) segments(s, s + a_warp, lane);
  }

  KOKKOS_FORCEINLINE_FUNCTION void segments(std::size_t from, std::size_t to, int lane) const {
    int const place = lane & ((1 << group_bits) - 1);
    std::size_t const s = from + static_cast<std::size_t>(lane >> group_bits);
    bool const is_there = s < Kokkos::min(to, problem.segments);
    segment_range range;
    if (is_there) range = problem.range(s, problem.offset(s), problem.offset(s + 1));
    std::size_t const begin = range.begin, end = range.end;
    std::size_t const length = end - begin;
    bool const by_group = length <= longest_of_group;
    state const sum = fold_group(begin, by_group ? static_cast<int>(length) : 0, place, lane);
    if (is_there && by_group && place == 0) problem.store(s, sum);
    bool const by_warp = is_there && !by_group && length <= pieces.longest_whole;
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
      for (int k = 0; k < together; ++k)
        x[k] = internal::lift(op, problem.in.load(begin + static_cast<std::size_t>(Kokkos::min(i + k, to - 1))));
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) {
        if (i + k == from) sum = x[k];
        else if (i + k < to) sum = op(sum, x[k]);
      }
    }
    for (int bit = 1; bit < group; bit *= 2) {
      state const both = internal::join_lanes<Lanes>(op, sum, sum, bit, lane);
      // A lane that has nothing adds nothing, not even the identity.
      if (((place & ~(2 * bit - 1)) + bit) * stretch < length) sum = both;
    }
    return sum;
  }
};

/// How segments of n elements are dealt with: the mean length and the number of segments decide.
template <class Problem, class Shapes, class Lanes>
struct segment_plan {
  using state = typename Problem::state;
  template <bool ByWarps>
  using kernel = segments_kernel<Problem, Shapes, Lanes, ByWarps>;

  bool by_warps;
  int group_bits = 0;
  bool stays;  ///< there are no more teams than run at once, and they go on to other segments
  std::size_t longest_of_group, longest_whole, piece_size, pieces;

  static_assert(Shapes::longest_stretch * Lanes::size <= Shapes::longest_of_warp,
                "upsweep: what is too long for a warp has to be too long for its lanes.");

  segment_plan(std::size_t segments, std::size_t n) {
    std::size_t const mean = internal::divide_up(n, std::max<std::size_t>(segments, 1));
    by_warps = mean >= Shapes::least_of_warps;
    std::size_t const block = by_warps ? block_of<true> : block_of<false>;
    if (by_warps) {
      // More warps for a segment: if it is too long for so few, or the device needs more warps and these
      // have enough to do.
      auto const wants_more = [&] {
        bool const has_work = (block << group_bits) < mean, is_needed = (segments << group_bits) < Shapes::enough_warps;
        return (Shapes::longest_of_warp << group_bits) < mean || (has_work && is_needed);
      };
      while ((2 << group_bits) <= kernel<true>::warps && wants_more()) ++group_bits;
    } else {
      // More lanes than a segment asks for where the device has them: what few segments take is one lane's time.
      auto const wants_more = [&] {
        bool const has_work = (Shapes::least_stretch << group_bits) < mean,
                   is_needed = (segments << group_bits) < Shapes::enough_warps * Lanes::size;
        return (Shapes::stretch << group_bits) < mean || (has_work && is_needed);
      };
      while ((1 << group_bits) < Lanes::size && wants_more()) ++group_bits;
    }
    longest_of_group = Shapes::longest_stretch << group_bits;
    std::size_t const longest = Shapes::longest_of_warp << (by_warps ? group_bits : 0);
    std::size_t const most_pieces = mean > longest ? Shapes::most_pieces_of_all : Shapes::most_pieces;
    piece_size = block * std::clamp<std::size_t>(n / block / most_pieces, 1, Shapes::most_blocks);
    longest_whole = std::max(piece_size, longest);
    pieces = n <= longest_whole ? 0 : internal::divide_up(n, piece_size);
    stays = by_warps && mean <= block;
  }

  /// Teams for segments that are not cut. most: teams that a device runs at once.
  std::size_t row_teams(std::size_t segments, std::size_t most) const {
    int const threads = by_warps ? kernel<true>::warps : kernel<false>::team_size;
    std::size_t const teams = internal::divide_up(segments, static_cast<std::size_t>(threads >> group_bits));
    return std::min(teams, stays && teams > 2 * most ? most : std::size_t(1) << 30);
  }
  std::size_t piece_teams(std::size_t most) const {
    return std::min(internal::divide_up<std::size_t>(pieces, by_warps ? kernel<true>::warps : kernel<false>::warps),
                    most);
  }
  /// Of the region that a look-back needs, and of the pieces' sums.
  std::size_t region_bytes() const { return sizeof(std::uint64_t) * (control_words + pieces); }
  std::size_t bytes() const {
    internal::byte_layout layout;
    layout.add<state>(pieces);
    return layout.bytes();
  }

  /// Pre: ByWarps is by_warps.
  template <bool ByWarps, class ExecutionSpace>
  kernel<ByWarps> kernel_for(Problem const& problem, std::byte* sums, look_back_memory const& memory,
                             std::size_t most) const {
    auto const region =
        make_prefixes<typename kernel<ByWarps>::pieces_type::region_type, ExecutionSpace>(memory, pieces, false);
    return {problem,
            {{problem.in, problem.monoid, problem.n},
             reinterpret_cast<state*>(sums),
             region,
             piece_size,
             pieces,
             longest_whole},
            piece_teams(most),
            group_bits,
            longest_of_group};
  }

 private:
  /// Elements that a warp folds at once.
  template <bool ByWarps>
  static constexpr std::size_t block_of = kernel<ByWarps>::pieces_type::fold_type::block_size;
};

/// Pre: problem.segments > 0; memory as the plan asks for.
template <class ExecutionSpace, class Problem, class Plan>
void reduce_segments_by_warps(ExecutionSpace const& space, Problem const& problem, Plan const& plan, std::byte* sums,
                              look_back_memory const& memory, scan_names const& names) {
  auto const launch = [&]<bool ByWarps>(std::bool_constant<ByWarps>) {
    constexpr int teams = Plan::template kernel<ByWarps>::shape::teams;
    auto const most = static_cast<std::size_t>(compat::multiprocessors(space)) * teams;
    auto const kernel = plan.template kernel_for<ByWarps, ExecutionSpace>(problem, sums, memory, most);
    launch_pipeline<teams>(space, kernel, kernel.piece_teams + plan.row_teams(problem.segments, most), "segments",
                           names);
  };
  if (plan.by_warps) launch(std::true_type{});
  else launch(std::false_type{});
}

}  // namespace upsweep::scan::detail
