// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/one_pass/one_pass.hpp>
#include <upsweep/scan/detail/one_pass/pipeline_launch.hpp>
#include <upsweep/scan/detail/persistent/persistent_kernel.hpp>
#include <upsweep/scan/detail/persistent/staged_rows.hpp>
#include <upsweep/scan/detail/tiles/pipeline_hardware.hpp>
#include <upsweep/scan/detail/tiles/run_rows.hpp>
#include <upsweep/scan/tuning.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// Runs of equal neighbours as the Work of persistent_kernel.hpp.
///
///   fold     a warp compares the elements of its rows in the stage with those before, and keeps which of them start a
///            run (run_rows.hpp). The tile's number of starts and the last one are published.
///   emit     when the runs before the tile are known, a warp passes on the runs that start in its rows, with elements
///            from the stage.
/// Memory and progress: as pipelined_selection.hpp.
template <class Problem, class Shape>
struct pipelined_run_work {
  using shape = Shape;
  using element = typename Problem::element;
  using state = run_starts_state;
  using prefixes_type = decoupled_look_back<join_run_starts, warp_lanes, 2>;
  using runs = run_rows<Problem, Shape::workers, Shape::bytes_per_thread, warp_lanes>;
  using stage = staged_rows<Problem, typename runs::tile>;
  using warp_sums = internal::warp_sums<warp_lanes, Shape::workers>;
  static constexpr int size = runs::size;
  static constexpr std::size_t stage_bytes = stage::bytes;
  static constexpr bool falls_back_from_first = false;
  static constexpr bool stores_by_copy = false;
  static constexpr bool emits_parts_of_others = false;

  struct scratch {
    state warp_sum[2][Shape::workers];
  };
  struct kept {
    runs mine;
    state left;  ///< of the warps before
  };

  Problem problem;
  bool copy_in;  ///< by the hardware

  KOKKOS_FORCEINLINE_FUNCTION static join_run_starts monoid() { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION static state init() { return {0, 0}; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool backwards() { return false; }
  KOKKOS_FORCEINLINE_FUNCTION static no_fallback fallback(int) { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION void finish(state const& through) const { finish_runs(problem, through); }

  KOKKOS_FUNCTION bool is_copied(std::size_t begin) const {
    return stage::can_copy_in && copy_in && runs::tile::is_whole(problem, begin);
  }
  KOKKOS_FUNCTION void fill(staged_tile const& at, std::size_t, bool, phase_barrier& full) const {
    stage::fill(problem, copy_in, at.number * size, at.bytes, full);
  }

  KOKKOS_FUNCTION kept fold(prefixes_type const& prefixes, scratch& s, staged_tile const& at, unsigned round,
                            worker_thread const& me) const {
    std::size_t const begin = at.number * size;
    kept of;
    state const sum = is_copied(begin) ? choose_in_stage(of.mine, at, begin, me) : choose_in_memory(of.mine, begin, me);
    state* const warp_sum = s.warp_sum[round & 1u];
    if (me.lane == 0) warp_sum[me.warp] = sum;
    barrier_of_first(runs::threads);
    state const sums =
        warp_sums::scan(join_run_starts{}, me.lane < Shape::workers ? warp_sum[me.lane] : state{0, 0}, me.lane);
    if (me.warp == 0 && me.lane == Shape::workers - 1) prefixes.publish(at.number, me.epoch, sums);
    of.left = warp_sums::before(sums, me.warp);
    return of;
  }

  KOKKOS_FUNCTION void emit(std::size_t, scratch const&, staged_tile const& at, state const& prefix, kept const& of,
                            worker_thread const& me) const {
    std::size_t const begin = at.number * size;
    state const left = me.warp > 0 ? join_run_starts{}(prefix, of.left) : prefix;
    element const* const slots = stage::slots_of(at.bytes);
    if (is_copied(begin)) {
      of.mine.store(problem, begin, left, me.warp, me.lane, [=](int index) { return slots[index]; });
    } else {
      of.mine.store(problem, begin, left, me.warp, me.lane,
                    [&](int index) { return problem.in.load(begin + static_cast<std::size_t>(index)); });
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int first_of(worker_thread const& me) {
    return me.warp * runs::rows * warp_lanes::size + me.lane;
  }
  KOKKOS_FUNCTION state choose_in_stage(runs& mine, staged_tile const& at, std::size_t begin,
                                        worker_thread const& me) const {
    element const* const slots = stage::slots_of(at.bytes) + first_of(me);
    auto const take = [&](int r, element& before, element& own) {
      before = slots[r * warp_lanes::size - 1];
      own = slots[r * warp_lanes::size];
    };
    return mine.template choose<true>(problem, begin, size, me.warp, me.lane, take);
  }
  KOKKOS_FUNCTION state choose_in_memory(runs& mine, std::size_t begin, worker_thread const& me) const {
    int const there = runs::tile::length(problem, begin);
    auto const take = [&](int r, element& before, element& own) {
      std::size_t const i =
          begin + static_cast<std::size_t>(Kokkos::min(first_of(me) + r * warp_lanes::size, there - 1));
      before = problem.in.load(i > 0 ? i - 1 : 0);
      own = problem.in.load(i);
    };
    return mine.template choose<false>(problem, begin, there, me.warp, me.lane, take);
  }
};

/// Runs on devices with bulk copies.
struct pipelined_runs {
  /// Pre: n > 0; the region has prefix_bytes() of the kernel's prefixes for so many tiles, and was zeroed before its
  /// first use.
  template <class Shape, class ExecutionSpace, class Problem>
  static void find(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                   scan_names const& names) {
    using work = pipelined_run_work<Problem, Shape>;
    using kernel = persistent_kernel<ExecutionSpace, work>;
    std::size_t const tiles = internal::divide_up<std::size_t>(problem.n, work::size);
    auto const prefixes = make_prefixes<typename kernel::prefixes_type, ExecutionSpace>(memory, tiles, false);
    auto const most = static_cast<std::size_t>(compat::multiprocessors(space)) * Shape::teams;
    launch_pipeline<Shape::teams>(space, kernel{work{problem, work::stage::copies_in(problem)}, prefixes},
                                  std::min(tiles, most), "runs", names);
  }
  template <class ExecutionSpace, class T, class Shape>
  static constexpr std::size_t tile_size = selection_tile_size<T, Shape::workers, Shape::bytes_per_thread, warp_lanes>;
};

}  // namespace upsweep::scan::detail
