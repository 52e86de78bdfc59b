// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/one_pass/one_wave_scan.hpp>
#include <upsweep/scan/detail/one_pass/pipeline_launch.hpp>
#include <upsweep/scan/detail/one_pass/warp_look_back.hpp>
#include <upsweep/scan/detail/persistent/persistent_kernel.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/scan/detail/tiles/segmented_pipelined_tile.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upsweep::scan::detail {

// Pipelined look-back: a scan as the Work of persistent_kernel.hpp. Workers fold a tile in its stage, and scan it in
// place.
//
// Memory: N reads and N writes. Contiguous Views aligned to 16 bytes are copied by the hardware; anything else
// (functors, strides, other types than the other side, the last, partial tile) is loaded and stored by the workers,
// neighbouring lanes at neighbouring elements, through the same stages: the same bits.
// Association: an element's result is prefix(tile) * sums of the warps before * scan of the threads before *
//   elements before.
// Progress: decoupled_look_back.hpp reduces the tile of a team that does not go on.

template <class Problem, class Shape, class Tile>
struct pipelined_scan_work {
  using tile = Tile;
  using shape = Shape;
  using state = typename Problem::state;
  using prefixes_type = decoupled_look_back<typename Problem::monoid_type>;
  using warp_sums = internal::warp_sums<warp_lanes, Shape::workers>;
  static constexpr std::size_t stage_bytes = tile::stage_bytes;
  static constexpr bool falls_back_from_first = tile::falls_back_from_first;
  static constexpr bool stores_by_copy = true;
  static constexpr bool emits_parts_of_others = false;

  struct scratch {
    state warp_sum[2][Shape::workers];
  };
  struct kept {
    state left;  ///< the fold of the threads to the left; not of the first thread
    typename tile::note note;
  };

  Problem problem;
  bool copy_in, copy_out;  ///< by the hardware

  KOKKOS_FORCEINLINE_FUNCTION auto const& monoid() const { return problem.monoid; }
  KOKKOS_FORCEINLINE_FUNCTION state init() const { return problem.init.load(); }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool backwards() { return false; }
  KOKKOS_FORCEINLINE_FUNCTION tile_reduction<tile, Problem> fallback(int lane) const { return {problem, lane}; }
  KOKKOS_FORCEINLINE_FUNCTION void finish(state const& through) const { problem.total.store(problem.monoid, through); }

  KOKKOS_FUNCTION bool is_whole(std::size_t number) const { return (number + 1) * tile::size <= problem.n; }

  KOKKOS_FUNCTION void fill(staged_tile const& at, std::size_t, bool, phase_barrier& full) const {
    if (tile::can_copy_in && copy_in && is_whole(at.number)) tile::copy_in(problem, at.number, at.bytes, full);
    else full.arrive();
  }
  KOKKOS_FUNCTION void store_by_copy(staged_tile const& at) const {
    if (tile::can_copy_out && copy_out && is_whole(at.number)) tile::copy_out(problem, at.number, at.bytes);
  }

  KOKKOS_FUNCTION kept fold(prefixes_type const& prefixes, scratch& s, staged_tile const& at, unsigned round,
                            worker_thread const& me) const {
    auto const& op = problem.monoid;
    tile const t = tile::at(problem, at.number, at.bytes, me.thread(), me.lane);
    typename tile::note note;
    state sum;
    if (is_whole(at.number)) {
      if (tile::can_copy_in && copy_in) note = t.copied(problem);
      else note = t.template load<true>(problem);
      sum = t.template fold<true>(problem, note);
    } else {
      note = t.template load<false>(problem);
      sum = t.template fold<false>(problem, note);
    }
    auto& warp_sum = s.warp_sum[round & 1u];
    state const inclusive = internal::scan_warp<warp_lanes>(op, sum, warp_sum, me.warp, me.lane);
    state const lane_left = warp_lanes::shuffle_up(inclusive, 1);
    barrier_of_first(Shape::workers * warp_lanes::size);
    state const sums = warp_sums::scan(op, me.lane < Shape::workers ? warp_sum[me.lane] : op.identity(), me.lane);
    if (me.warp == 0 && me.lane == Shape::workers - 1) prefixes.publish(at.number, me.epoch, sums);
    if (me.warp == 0) return {lane_left, note};
    state const warps_left = warp_sums::before(sums, me.warp);
    return {me.lane == 0 ? warps_left : op(warps_left, lane_left), note};
  }

  KOKKOS_FUNCTION void emit(std::size_t, scratch const&, staged_tile const& at, state const& prefix, kept const& of,
                            worker_thread const& me) const {
    tile const t = tile::at(problem, at.number, at.bytes, me.thread(), me.lane);
    // Nothing is before the first thread: the prefix may be -0.0, which a sum with the identity is not.
    state const running = t.thread == 0 ? prefix : problem.monoid(prefix, of.left);
    if (is_whole(at.number)) {
      t.template scan<true>(problem, running, of.note);
      if (!(tile::can_copy_out && copy_out)) t.template unload<true>(problem);
    } else {
      t.template scan<false>(problem, running, of.note);
      t.template unload<false>(problem);
    }
  }
};

/// Inputs that are too short for persistent teams.
template <class ExecutionSpace, class Problem, class Tuning>
struct short_scans : one_wave_scan<ExecutionSpace, Problem, Tuning> {};
template <class ExecutionSpace, class Problem, class Tuning>
  requires(takes_segmented_tile<Problem>::value)
struct short_scans<ExecutionSpace, Problem, Tuning> {
  static constexpr std::size_t most = Tuning::pipelined_segments_bytes / pipelined_slot<problem_of_values<Problem>> - 1;
  static constexpr bool takes(std::size_t n) { return n <= most; }
  static std::size_t region_bytes(std::size_t n) {
    return warp_look_back_engine::region_bytes<ExecutionSpace, Problem>(n <= most ? n : most);
  }
  static void scan(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                   scan_names const& names) {
    warp_look_back_engine::scan(space, problem, memory, names);
  }
};

struct pipelined_engine {
  static constexpr engine_memory memory = engine_memory::protocol;

  /// Whether it can run a problem on a backend. Others run look_back instead.
  template <class ExecutionSpace, class Problem>
  static constexpr bool takes() {
    if constexpr (compat::has_bulk_copies<ExecutionSpace>)
      return pipeline_of<Problem, engine::tuning<ExecutionSpace>>::possible;
    else return false;
  }

  /// Bytes of the protocol's region for scans of up to n elements.
  template <class ExecutionSpace, class Problem, class Tuning = engine::tuning<ExecutionSpace>>
  static std::size_t region_bytes(std::size_t n) {
    using shorter = short_scans<ExecutionSpace, Problem, Tuning>;
    if (shorter::takes(n)) return shorter::region_bytes(n);
    std::size_t const tiles = internal::divide_up<std::size_t>(n, pipeline_of<Problem, Tuning>::tile::size);
    return std::max(shorter::region_bytes(n), prefix_bytes<decoupled_look_back<typename Problem::monoid_type>>(tiles));
  }

  /// AnyLength: persistent teams, whatever n is. Pre: n > 0; takes(); the region is as long as region_bytes() says, or
  /// with AnyLength as so many of these tiles take, and was zeroed before its first use.
  template <bool AnyLength = false, class ExecutionSpace, class Problem, class Tuning = engine::tuning<ExecutionSpace>>
  static void scan(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                   scan_names const& names) {
    if constexpr (!AnyLength) {
      using shorter = short_scans<ExecutionSpace, Problem, Tuning>;
      if (shorter::takes(problem.n)) return shorter::scan(space, problem, memory, names);
    }
    using shape = typename pipeline_of<Problem, Tuning>::shape;
    using tile = typename pipeline_of<Problem, Tuning>::tile;
    using work = pipelined_scan_work<Problem, shape, tile>;
    using kernel = persistent_kernel<ExecutionSpace, work>;
    auto const prefixes = make_prefixes<typename kernel::prefixes_type, ExecutionSpace>(
        memory, internal::divide_up<std::size_t>(problem.n, tile::size), may_be_in_place(problem));
    auto const most = static_cast<std::size_t>(compat::multiprocessors(space)) * shape::teams;
    launch_pipeline<shape::teams>(
        space, kernel{work{problem, tile::aligned_in(problem), tile::aligned_out(problem)}, prefixes},
        std::min(prefixes.tiles, most), "pipelined", names);
  }
};

}  // namespace upsweep::scan::detail
