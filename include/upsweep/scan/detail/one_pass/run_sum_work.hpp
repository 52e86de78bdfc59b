// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/one_pass/one_pass.hpp>
#include <upsweep/scan/detail/problem/scan_lanes.hpp>
#include <upsweep/scan/detail/segments/run_sums.hpp>
#include <upsweep/scan/detail/tiles/run_sum_stretch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// Reductions of runs as the Work of one_pass.hpp, for any GPU with warps. A warp has a stretch of elements, each lane
/// neighbours of it (run_sum_stretch.hpp). Keys and sums of the runs that begin in a stretch go to the warp's scratch,
/// in order, and from there, behind the prefix, to where they belong. Tiles in which no run begins wait for no other
/// tile.
///
/// Scratch: a key and a state for each element of a tile.
/// Memory: keys and values are read once.
/// Association: prefix(tile) * sums of the warps before * (sums of the lanes before * elements before), each from the
/// run's first element on.
/// Progress: as selection_work's (striped_selection.hpp); equality is evaluated once per element.
template <class Problem, class Shape, class Lanes>
struct run_sum_work {
  using shape = Shape;
  using lanes = Lanes;
  using monoid_type = typename Problem::monoid_type;
  using state = typename Problem::state;
  using value = typename decltype(Problem::out.monoid)::value_type;
  using key = typename decltype(Problem::in.heads.keys)::value_type;
  using input = typename decltype(Problem::in.in)::value_type;

  /// Elements of a lane: as many as registers and scratch hold, and bits a word has.
  static constexpr int widest = static_cast<int>(std::max({sizeof(key), sizeof(input), sizeof(value), std::size_t(4)}));
  static constexpr int scratch_per_lane = 46 * 1024 / (Shape::warps * Lanes::size);
  static constexpr int bytes_per_item =
      static_cast<int>((sizeof(key) + 3) / 4 * 4 + std::max((sizeof(input) + 3) / 4 * 4, sizeof(value)));
  static constexpr int items = std::min({Shape::bytes_per_thread / widest, scratch_per_lane / bytes_per_item, 32});
  static_assert(items > 0, "upsweep: keys and values of runs are too long for a tile.");
  using stretch = run_sum_stretch<Problem, items, Lanes>;
  using key_row = typename stretch::key_row;
  using value_row = typename stretch::value_row;
  static constexpr int warp_elements = stretch::elements;
  static constexpr std::size_t size = static_cast<std::size_t>(Shape::warps) * warp_elements;

  /// First the elements, while they are transposed; then the runs.
  struct scratch {
    struct of_warp {
      alignas(std::max(alignof(key), std::size_t(16))) unsigned char keys[stretch::key_bytes];
      alignas(std::max(alignof(value), std::size_t(16))) unsigned char values[stretch::value_bytes];
    } warp[Shape::warps];
  };

  Problem problem;
  bool by_chunks;

  static bool goes_by_chunks(Problem const& p) {
    return key_row::goes_by_chunks(p.in.heads.keys) && value_row::goes_by_chunks(p.in.in);
  }

  KOKKOS_FORCEINLINE_FUNCTION monoid_type const& monoid() const { return problem.monoid; }
  KOKKOS_FORCEINLINE_FUNCTION state init() const { return problem.monoid.identity(); }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool backwards() { return false; }
  KOKKOS_FORCEINLINE_FUNCTION static no_fallback fallback(int) { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION static bool wants_prefix(state const& aggregate) { return aggregate.low != 0; }
  KOKKOS_FORCEINLINE_FUNCTION void finish(state const& through) const { problem.out.finish(through); }

  struct part {
    stretch mine;
    std::size_t first;  ///< the warp's first element
    int warp;
    state left;  ///< of the warps before

    KOKKOS_FORCEINLINE_FUNCTION part(run_sum_work const&, std::size_t number, int w, bool)
        : first(number * size + static_cast<std::size_t>(w) * warp_elements), warp(w) {}

    KOKKOS_FORCEINLINE_FUNCTION bool is_whole(run_sum_work const& work) const {
      return work.by_chunks && first + warp_elements <= work.problem.n;
    }

    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION state load(run_sum_work const& work, scratch& s, int lane) {
      auto const& p = work.problem;
      mine.runs = 0;
      int const length = Whole          ? warp_elements
                         : p.n <= first ? 0
                                        : static_cast<int>(Kokkos::min<std::size_t>(p.n - first, warp_elements));
      if (!Whole && length == 0) return p.monoid.identity();
      auto& own = s.warp[warp];
      key_row keys;
      value_row values;
      keys.template load<Whole>(p.in.heads.keys, first, length, lane);
      values.template load<Whole>(p.in.in, first, length, lane);
      key const before = p.in.heads.keys.load(first > 0 ? first - 1 : 0);
      keys.put(own.keys, lane);
      values.put(own.values, lane);
      Lanes::sync();
      keys.get(own.keys, lane);
      values.get(own.values, lane);
      Lanes::sync();
      return mine.template fold<Whole>(p, own.keys, own.values, first, length, before, keys, values, lane);
    }

    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void arrange(run_sum_work const&, scratch&, state const& sums, int) {
      left = internal::warp_sums<Lanes, Shape::warps>::before(sums, warp);
    }

    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void emit(run_sum_work const& work, scratch& s, state const& before, int lane) const {
      if (mine.runs == 0) return;
      mine.emit(work.problem, s.warp[warp].keys, s.warp[warp].values,
                warp > 0 ? work.problem.monoid(before, left) : before, lane);
    }
  };
};

/// Reduces runs on tiles of a shape. Pre: problem.n > 0; the region is as long as run_sum_region_bytes() says and was
/// zeroed before its first use.
template <class Shape, class ExecutionSpace, class Problem>
void reduce_runs_in_one_pass(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                             scan_names const& names) {
  using work = run_sum_work<Problem, Shape, internal::lanes_of<ExecutionSpace>>;
  static_assert(sizeof(typename one_pass_kernel<work>::shared) + 128 <= 48 * 1024,
                "upsweep: a tile of runs has to fit in 48 KiB of scratch.");
  run_one_pass(space, work{problem, work::goes_by_chunks(problem)},
               internal::divide_up<std::size_t>(problem.n, work::size), memory, false, "reduce", names);
}

template <class Shape, class ExecutionSpace, class Problem>
std::size_t run_sum_region_bytes(std::size_t n) {
  using work = run_sum_work<Problem, Shape, internal::lanes_of<ExecutionSpace>>;
  return one_pass_bytes<typename work::monoid_type, typename work::lanes>(
      internal::divide_up<std::size_t>(n, work::size));
}

}  // namespace upsweep::scan::detail
