// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/one_pass/one_pass.hpp>
#include <upsweep/scan/detail/one_pass/pipeline_launch.hpp>
#include <upsweep/scan/detail/persistent/persistent_kernel.hpp>
#include <upsweep/scan/detail/problem/contiguous_bytes.hpp>
#include <upsweep/scan/detail/tiles/pipelined_tile.hpp>
#include <upsweep/scan/detail/tiles/pipeline_hardware.hpp>
#include <upsweep/scan/detail/tiles/run_sum_stretch.hpp>
#include <upsweep/scan/tuning.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// Reductions of runs as the Work of persistent_kernel.hpp.
///
///   fold     a warp takes its stretch out of the stage and puts the runs that begin there (run_sum_stretch.hpp) where
///            their elements were.
///   emit     when the prefix of the tile is there, a warp passes its runs on.
///
/// A stage has the key before the tile, the keys and the values. A warp reads the last key of the stretch before it in
/// the stage, too. That is only written, with the same key, where every element of that stretch begins a run.
/// Memory: keys and values are read once. Contiguous ones aligned to 16 bytes come by the hardware's copies; others,
/// and those of the last, partial tile, by the lanes' own loads.
/// Association and progress: as run_sum_work's.
template <class Problem, class Shape, int Items>
struct pipelined_run_sum_work {
  using shape = Shape;
  using stretch = run_sum_stretch<Problem, Items, warp_lanes>;
  using state = typename Problem::state;
  using key = typename stretch::key;
  using input = typename stretch::input;
  using prefixes_type = decoupled_look_back<typename Problem::monoid_type, warp_lanes, 2>;
  using warp_sums = internal::warp_sums<warp_lanes, Shape::workers>;
  static constexpr int threads = Shape::workers * warp_lanes::size;
  static constexpr std::size_t size = static_cast<std::size_t>(Shape::workers) * stretch::elements;
  /// In front of the keys; a multiple of 128, because copies by the hardware that begin elsewhere read parts of lines
  /// twice.
  static constexpr std::uint32_t lead = 128;
  static constexpr auto key_bytes = static_cast<std::uint32_t>(Shape::workers * stretch::key_bytes);
  static constexpr auto value_bytes = static_cast<std::uint32_t>(Shape::workers * stretch::value_bytes);
  static constexpr std::size_t stage_bytes = lead + key_bytes + value_bytes;
  static constexpr bool falls_back_from_first = false;
  static constexpr bool stores_by_copy = false;
  static constexpr bool emits_parts_of_others = false;

  struct scratch {
    state warp_sum[2][Shape::workers];
  };
  struct kept {
    stretch mine;
    state left;  ///< of the warps before
  };

  Problem problem;
  bool copy_in;  ///< by the hardware

  static bool copies_in(Problem const& p) {
    auto const is_aligned = [](char const* at) { return reinterpret_cast<std::uintptr_t>(at) % 16 == 0; };
    return is_aligned(contiguous_bytes(p.in.heads.keys)) && is_aligned(contiguous_bytes(p.in.in));
  }

  KOKKOS_FORCEINLINE_FUNCTION auto const& monoid() const { return problem.monoid; }
  KOKKOS_FORCEINLINE_FUNCTION state init() const { return problem.monoid.identity(); }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool backwards() { return false; }
  KOKKOS_FORCEINLINE_FUNCTION static no_fallback fallback(int) { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION void finish(state const& through) const { problem.out.finish(through); }

  KOKKOS_FUNCTION bool is_whole(std::size_t number) const { return (number + 1) * size <= problem.n; }

  KOKKOS_FUNCTION void fill(staged_tile const& at, std::size_t, bool, phase_barrier& full) const {
    if (copy_in && is_whole(at.number)) {
      // Nothing is before the first tile.
      std::uint32_t const before = at.number > 0 ? lead : 0;
      full.arrive_expecting(before + key_bytes + value_bytes);
      bulk_copy::load(at.bytes + lead - before,
                      contiguous_bytes(problem.in.heads.keys) + at.number * key_bytes - before, before + key_bytes,
                      full);
      bulk_copy::load(at.bytes + lead + key_bytes, contiguous_bytes(problem.in.in) + at.number * value_bytes,
                      value_bytes, full);
    } else {
      full.arrive();
    }
  }

  KOKKOS_FUNCTION kept fold(prefixes_type const& prefixes, scratch& s, staged_tile const& at, unsigned round,
                            worker_thread const& me) const {
    kept of;
    state sum = problem.monoid.identity();
    if (is_whole(at.number)) sum = take<true>(of.mine, at, me);
    else sum = take<false>(of.mine, at, me);
    state* const warp_sum = s.warp_sum[round & 1u];
    if (me.lane == 0) warp_sum[me.warp] = sum;
    barrier_of_first(threads);
    auto const& op = problem.monoid;
    state const sums = warp_sums::scan(op, me.lane < Shape::workers ? warp_sum[me.lane] : op.identity(), me.lane);
    if (me.warp == 0 && me.lane == Shape::workers - 1) prefixes.publish(at.number, me.epoch, sums);
    of.left = warp_sums::before(sums, me.warp);
    return of;
  }

  KOKKOS_FUNCTION void emit(std::size_t, scratch const&, staged_tile const& at, state const& prefix, kept const& of,
                            worker_thread const& me) const {
    if (of.mine.runs > 0)
      of.mine.emit(problem, keys_of(at, me.warp), values_of(at, me.warp),
                   me.warp > 0 ? problem.monoid(prefix, of.left) : prefix, me.lane);
  }

 private:
  KOKKOS_FUNCTION static unsigned char* keys_of(staged_tile const& at, int warp) {
    return at.bytes + lead + static_cast<std::size_t>(warp) * stretch::key_bytes;
  }
  KOKKOS_FUNCTION static unsigned char* values_of(staged_tile const& at, int warp) {
    return at.bytes + lead + key_bytes + static_cast<std::size_t>(warp) * stretch::value_bytes;
  }

  template <bool Whole>
  KOKKOS_FUNCTION state take(stretch& mine, staged_tile const& at, worker_thread const& me) const {
    auto const& p = problem;
    std::size_t const first = at.number * size + static_cast<std::size_t>(me.warp) * stretch::elements;
    mine.runs = 0;
    int const length = Whole          ? stretch::elements
                       : p.n <= first ? 0
                                      : static_cast<int>(Kokkos::min<std::size_t>(p.n - first, stretch::elements));
    if (!Whole && length == 0) return p.monoid.identity();
    unsigned char *const keys_here = keys_of(at, me.warp), *const values_here = values_of(at, me.warp);
    typename stretch::key_row keys;
    typename stretch::value_row values;
    key before;
    if (Whole && copy_in) {
      before = reinterpret_cast<key const*>(keys_here)[-1];
    } else {
      keys.template load<false>(p.in.heads.keys, first, length, me.lane);
      values.template load<false>(p.in.in, first, length, me.lane);
      before = p.in.heads.keys.load(first > 0 ? first - 1 : 0);
      keys.put(keys_here, me.lane);
      values.put(values_here, me.lane);
      warp_lanes::sync();
    }
    keys.get(keys_here, me.lane);
    values.get(values_here, me.lane);
    warp_lanes::sync();
    return mine.template fold<Whole>(p, keys_here, values_here, first, length, before, keys, values, me.lane);
  }
};

/// Reductions of runs on devices with bulk copies, where keys and values are contiguous and no sum is longer than a
/// value.
template <class Problem, class Shape>
struct pipelined_run_sums {
  using key = typename decltype(Problem::in.heads.keys)::value_type;
  using input = typename decltype(Problem::in.in)::value_type;
  using value = typename decltype(Problem::out.monoid)::value_type;
  static constexpr int items =
      std::max(1, Shape::bytes_per_thread / static_cast<int>(std::max(sizeof(key), sizeof(input))));
  using stretch = run_sum_stretch<Problem, items, warp_lanes>;

  /// As many workers as have room for their elements in the stages: scratch of a multiprocessor, less what the system
  /// and Kokkos keep, a team and a thread.
  static constexpr int fitting() {
    constexpr int a_team = scratch_of_multiprocessor / Shape::teams - 2048 - Shape::stages * 128;
    constexpr int a_worker = Shape::stages * static_cast<int>(stretch::key_bytes + stretch::value_bytes) +
                             2 * static_cast<int>(sizeof(typename Problem::state)) + 320;
    return std::min(Shape::workers, a_team / a_worker);
  }
  static constexpr bool possible =
      compat::has_large_scratch && items <= 32 && fitting() > 0 &&
      is_contiguous_sequence<decltype(Problem::in.heads.keys)>&& is_contiguous_sequence<decltype(Problem::in.in)>&&
          stretch::key_row::chunked&& stretch::value_row::chunked &&
      sizeof(value) <= sizeof(input);
  using shape = engine::pipeline_shape<std::max(fitting(), 1), Shape::stages, Shape::teams, Shape::bytes_per_thread>;
  using work = pipelined_run_sum_work<Problem, shape, items>;

  static std::size_t tiles(std::size_t n) { return internal::divide_up<std::size_t>(n, work::size); }

  /// Bytes of the protocol's region.
  static std::size_t region_bytes(std::size_t n) {
    return one_pass_bytes<typename Problem::monoid_type, warp_lanes>(tiles(n));
  }

  /// Pre: problem.n > 0; the region is as long as region_bytes() says and was zeroed before its first use.
  template <class ExecutionSpace>
  static void reduce(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                     scan_names const& names) {
    using kernel = persistent_kernel<ExecutionSpace, work>;
    auto const prefixes =
        make_prefixes<typename kernel::prefixes_type, ExecutionSpace>(memory, tiles(problem.n), false);
    auto const most = static_cast<std::size_t>(compat::multiprocessors(space)) * Shape::teams;
    launch_pipeline<Shape::teams>(space, kernel{work{problem, work::copies_in(problem)}, prefixes},
                                  std::min(prefixes.tiles, most), "reduce", names);
  }
};

}  // namespace upsweep::scan::detail
