// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/one_pass/one_pass.hpp>
#include <upsweep/scan/detail/one_pass/pipeline_launch.hpp>
#include <upsweep/scan/detail/persistent/persistent_kernel.hpp>
#include <upsweep/scan/detail/persistent/staged_rows.hpp>
#include <upsweep/scan/detail/tiles/pipeline_hardware.hpp>
#include <upsweep/scan/detail/tiles/selection_rows.hpp>
#include <upsweep/scan/tuning.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

// Selection as the Work of persistent_kernel.hpp.
//
//   fold     a warp takes rows of 32 elements out of the stage, one per lane, which stays in a register. The rows'
//            ballots give each element its place among the chosen ones of the warp; sums of the warps its place in the
//            tile. The tile's number of chosen ones is published, and the elements go back into the stage in order:
//            chosen ones, others.
//   emit     when the prefix of the tile is there, one round later: the stage's two parts, side by side, to
//            where they belong.
//
// selection_rows.hpp says how. What was tried: to remember the places, two numbers per element instead of one, left no
// registers (2^28 int32, a tenth chosen: 607 us, without 372).
// Memory: every element is read once, and written once if it is wanted;
// where the element before is asked with, up to 64 bytes per tile are read again. Contiguous elements aligned to 16
// bytes come by the hardware's copies, others, and those of the last, partial tile, by the lanes' own loads. Stores
// start anywhere: by lanes.
// Progress: there is no fallback for a stalled tile, because the user's functor is called once per element. Tiles are
// taken by ticket, so that a tile is waited for by teams only when its own team runs; CUDA promises that it goes on.

template <class Problem, class Shape>
struct pipelined_selection_work {
  using shape = Shape;
  using element = typename Problem::element;
  using counts = typename Problem::monoid;
  using state = typename Problem::counts;
  // Of pairs of counts the look-back warp reads fewer groups tile by tile:
  // with 4 it spilled 116 bytes per thread, and 36 for int64 (nvcc 13).
  using prefixes_type = decoupled_look_back<counts, warp_lanes, Problem::parts == 2 ? groups_by_tile<counts> : 2>;
  using part = selection_rows<Problem, Shape::workers, Shape::bytes_per_thread, warp_lanes>;
  using warp_sums = internal::warp_sums<warp_lanes, Shape::workers>;
  static constexpr int size = part::size;
  using stage = staged_rows<Problem, part>;
  static constexpr std::size_t stage_bytes = stage::bytes;
  static constexpr bool falls_back_from_first = false;
  static constexpr bool stores_by_copy = false;
  static constexpr bool emits_parts_of_others = true;

  struct scratch {
    std::uint32_t warp_count[2][Shape::workers];
    int chosen[Shape::stages];  ///< of the tile, as selection_rows counts
  };
  struct kept {};

  Problem problem;
  bool copy_in;  ///< by the hardware

  KOKKOS_FORCEINLINE_FUNCTION static counts monoid() { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION static state init() { return counts{}.identity(); }
  KOKKOS_FORCEINLINE_FUNCTION bool backwards() const { return problem.order.backwards(); }
  KOKKOS_FORCEINLINE_FUNCTION static no_fallback fallback(int) { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION void finish(state const& through) const { problem.finish(through); }

  KOKKOS_FUNCTION void fill(staged_tile const& at, std::size_t tiles, bool backwards, phase_barrier& full) const {
    std::size_t const first = part::begin_of(at.number, tiles, backwards);
    stage::fill(problem, copy_in, first, at.bytes, full);
    if constexpr (reads_ahead<typename Problem::chosen_type>) prefetch_for_choice(first);
  }

  KOKKOS_FUNCTION kept fold(prefixes_type const& prefixes, scratch& s, staged_tile const& at, unsigned round,
                            worker_thread const& me) const {
    std::size_t const begin = part::begin_of(at.number, prefixes.tiles, me.backwards);
    if (part::is_whole(problem, begin)) choose<true>(prefixes, s, at, begin, round, me);
    else choose<false>(prefixes, s, at, begin, round, me);
    return {};
  }

  KOKKOS_FUNCTION void emit(std::size_t tiles, scratch const& s, staged_tile const& at, state const& prefix,
                            kept const&, worker_thread const& me) const {
    if (me.backwards) store<true>(tiles, s, at, prefix, me.thread());
    else store<false>(tiles, s, at, prefix, me.thread());
  }

 private:
  /// Whole pieces of 16 bytes, the one in which the memory begins too.
  KOKKOS_FUNCTION void prefetch_for_choice(std::size_t first) const {
    constexpr std::size_t piece = 16, each = Problem::chosen_type::bytes_ahead;
    auto const begin = reinterpret_cast<std::uintptr_t>(problem.chosen.ahead()) + first * each;
    std::uintptr_t const from = begin / piece * piece;
    std::uintptr_t const to = (begin + static_cast<std::size_t>(part::length(problem, first)) * each) / piece * piece;
    if (from < to) bulk_copy::prefetch(reinterpret_cast<void const*>(from), static_cast<std::uint32_t>(to - from));
  }

  KOKKOS_FUNCTION static element* slots_of(staged_tile const& at) { return stage::slots_of(at.bytes); }

  template <bool Whole>
  KOKKOS_FUNCTION void choose(prefixes_type const& prefixes, scratch& s, staged_tile const& at, std::size_t begin,
                              unsigned round, worker_thread const& me) const {
    auto* const slots = slots_of(at);
    part mine;
    mine.template set_place<Whole>(problem, begin, me.warp, me.lane);
    auto const load = [&] {
      if (Whole && stage::can_copy_in && copy_in) mine.load(slots);
      else mine.template load<Whole>(problem);
    };
    // What does not ask for elements comes first: partition_copy of int32 by flags spilled 156 bytes per thread the
    // other way (nvcc 13).
    constexpr bool chooses_first =
        reads_ahead<typename Problem::chosen_type> || has_part_bits<typename Problem::chosen_type>;
    if constexpr (!chooses_first) load();
    std::uint32_t const warp_sum = mine.template choose<Whole>(problem, me.backwards);
    if constexpr (chooses_first) load();
    if (prefixes.in_place) Kokkos::memory_fence();
    std::uint32_t* const warp_count = s.warp_count[round & 1u];
    if (me.lane == 0) warp_count[me.warp] = warp_sum;
    barrier_of_first(part::threads);  // all have taken out their part of the tile, too
    std::uint32_t const sums =
        warp_sums::scan(plus<std::uint32_t>{}, me.lane < Shape::workers ? warp_count[me.lane] : 0u, me.lane);
    int const all = static_cast<int>(warp_sums::total(sums));
    if (me.warp == 0 && me.lane == 0) {
      if (prefixes.in_place) Kokkos::memory_fence();
      prefixes.publish(at.number, me.epoch, part::state_of(static_cast<std::uint32_t>(all)));
      s.chosen[at.stage] = all;
    }
    mine.template put<Whole>(slots, me.lane, me.warp > 0 ? static_cast<int>(warp_sums::before(sums, me.warp)) : 0, all);
  }

  /// Pre: all have put back their part.
  template <bool Backwards>
  KOKKOS_FUNCTION void store(std::size_t tiles, scratch const& s, staged_tile const& at, state const& prefix,
                             int thread) const {
    part::template store<Backwards>(problem, part::begin_of(at.number, tiles, Backwards), slots_of(at),
                                    s.chosen[at.stage], prefix, thread);
  }
};

/// Selection on devices with bulk copies.
struct pipelined_selection {
  template <class ExecutionSpace>
  using shape = typename engine::tuning<ExecutionSpace>::selection;

  template <class ExecutionSpace, class T, class Shape>
  static constexpr std::size_t tile_size = selection_tile_size<T, Shape::workers, Shape::bytes_per_thread, warp_lanes>;

  template <class ExecutionSpace>
  static std::size_t region_bytes(std::size_t tiles) {
    return one_pass_bytes<plus<std::uint64_t>, warp_lanes>(tiles);
  }

  /// Pre: n > 0; the region is as long as region_bytes() says and was zeroed before its first use.
  template <class Shape, class ExecutionSpace, class Problem>
  static void select(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                     scan_names const& names) {
    using work = pipelined_selection_work<Problem, Shape>;
    using kernel = persistent_kernel<ExecutionSpace, work>;
    std::size_t const tiles = internal::divide_up<std::size_t>(problem.n, work::size);
    auto const prefixes =
        make_prefixes<typename kernel::prefixes_type, ExecutionSpace>(memory, tiles, problem.in_place);
    auto const most = static_cast<std::size_t>(compat::multiprocessors(space)) * Shape::teams;
    launch_pipeline<Shape::teams>(space, kernel{work{problem, work::stage::copies_in(problem)}, prefixes},
                                  std::min(tiles, most), "select", names);
  }
};

}  // namespace upsweep::scan::detail
