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
#include <upsweep/scan/detail/tiles/transposed_items.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// Reductions of runs as the Work of one_pass.hpp, for any GPU with warps. A warp has a range of elements, each lane
/// neighbours of it (transposed_items.hpp). A lane folds its elements and restarts at the first one of each run;
/// one scan of the lanes, from heads on, gives what each one's first run has from the lanes before. Keys and sums
/// of the runs that begin in a warp's range go to the warp's scratch, in order, and from there, behind the prefix,
/// to where they belong: only the first sum of a warp needs the prefix's value. Tiles in which no run begins wait
/// for no other tile.
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
  using values_monoid = decltype(Problem::out.monoid);
  using value = typename values_monoid::value_type;
  using key = typename decltype(Problem::in.heads.keys)::value_type;
  using input = typename decltype(Problem::in.in)::value_type;

  /// Elements of a lane: as many as registers and scratch hold, and bits a word has.
  static constexpr int widest = static_cast<int>(std::max({sizeof(key), sizeof(input), sizeof(value), std::size_t(4)}));
  static constexpr int scratch_per_lane = 46 * 1024 / (Shape::warps * Lanes::size);
  static constexpr int bytes_per_item =
      static_cast<int>((sizeof(key) + 3) / 4 * 4 + std::max((sizeof(input) + 3) / 4 * 4, sizeof(value)));
  static constexpr int items = std::min({Shape::bytes_per_thread / widest, scratch_per_lane / bytes_per_item, 32});
  static_assert(items > 0, "upsweep: keys and values of runs are too long for a tile.");
  using key_row = transposed_items<key, items, Lanes>;
  using value_row = transposed_items<input, items, Lanes>;
  static constexpr int warp_elements = Lanes::size * items;
  static constexpr std::size_t size = static_cast<std::size_t>(Shape::warps) * warp_elements;

  /// First the elements, while they are transposed; then the runs.
  struct scratch {
    static constexpr std::size_t key_bytes = std::max<std::size_t>(key_row::bytes, warp_elements * sizeof(key));
    static constexpr std::size_t value_bytes = std::max<std::size_t>(value_row::bytes, warp_elements * sizeof(value));
    struct of_warp {
      alignas(std::max(alignof(key), std::size_t(16))) unsigned char keys[key_bytes];
      alignas(std::max(alignof(value), std::size_t(16))) unsigned char values[value_bytes];
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
    std::size_t first;  ///< the warp's first element
    int warp;
    int runs;    ///< that begin in the stretch
    bool bare;   ///< one begins with its first element
    state left;  ///< of the warps before

    KOKKOS_FORCEINLINE_FUNCTION part(run_sum_work const&, std::size_t number, int w, bool)
        : first(number * size + static_cast<std::size_t>(w) * warp_elements), warp(w) {}

    KOKKOS_FORCEINLINE_FUNCTION bool is_whole(run_sum_work const& work) const {
      return work.by_chunks && first + warp_elements <= work.problem.n;
    }

    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION state load(run_sum_work const& work, scratch& s, int lane) {
      auto const& p = work.problem;
      runs = 0;
      bare = false;
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
      int const there = Whole ? items : Kokkos::clamp(length - lane * items, 0, static_cast<int>(items));
      return fold<Whole>(p, own, heads_of<Whole>(p, keys, before, there, lane), there, keys, values, lane);
    }

    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void arrange(run_sum_work const&, scratch&, state const& sums, int) {
      left = internal::warp_sums<Lanes, Shape::warps>::before(sums, warp);
    }

    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION void emit(run_sum_work const& work, scratch& s, state const& before, int lane) const {
      if (runs == 0) return;
      auto const& op = work.problem.out.monoid;
      auto const& out = work.problem.out.out;
      state prefix = before;
      if (warp > 0) prefix = work.problem.monoid(before, left);
      auto const& own = s.warp[warp];
      std::uint64_t const base = prefix.runs();
      for (int at = lane; at < runs; at += Lanes::size) {
        std::uint64_t const run = base + static_cast<std::uint64_t>(at);
        out.begins(run, reinterpret_cast<key const*>(own.keys)[at]);
        value sum = prefix.value;
        if (at > 0) sum = reinterpret_cast<value const*>(own.values)[at];
        else if (!bare) sum = op(sum, reinterpret_cast<value const*>(own.values)[at]);
        if (run > 0) out.ends(run - 1, sum);
      }
    }

   private:
    /// One bit for each element of the lane: whether a run begins there.
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t heads_of(Problem const& p, key_row const& keys, key const& before,
                                                       int there, int lane) const {
      key left_key = Lanes::shuffle_up(keys.take(items - 1), 1);
      if (lane == 0) left_key = before;
      std::uint32_t bits = 0;
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k) {
        key const own = keys.take(k);
        bool const is_first = k == 0 && lane == 0 && first == 0;
        if ((Whole || k < there) && (is_first || !p.in.heads.equal(left_key, own))) bits |= 1u << k;
        left_key = own;
      }
      return bits;
    }

    /// Puts the runs that begin in the stretch into scratch, each with the sum of what is before it in the stretch
    /// since the last head. Returns the fold of the stretch, in every lane.
    template <bool Whole>
    KOKKOS_FORCEINLINE_FUNCTION state fold(Problem const& p, typename scratch::of_warp& own, std::uint32_t bits,
                                           int there, key_row const& keys, value_row const& values, int lane) {
      auto const& op = p.out.monoid;
      auto* const to_keys = reinterpret_cast<key*>(own.keys);
      auto* const to_values = reinterpret_cast<value*>(own.values);
      auto const mine = static_cast<std::uint32_t>(Kokkos::Experimental::popcount_builtin(bits));
      std::uint32_t const through = scan_lanes<Lanes>(plus<std::uint32_t>{}, mine, lane);
      int const slot = static_cast<int>(through - mine);
      value running = op.identity(), front = op.identity();
      int next = slot;
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k) {
        if (Whole || k < there) {
          bool const head = (bits >> k & 1u) != 0;
          value const x = internal::lift(op, values.take(k));
          if (head) {
            to_keys[next] = keys.take(k);
            to_values[next] = running;
            if (next == slot) front = running;
            ++next;
          }
          if (k == 0 || head) running = x;
          else running = op(running, x);
        }
      }
      auto const with_head = Lanes::ballot(bits != 0);
      auto const up_to_this = static_cast<typename Lanes::mask>(with_head & ~Lanes::lanes_above());
      value const inclusive =
          internal::scan_lanes_from<Lanes>(op, running, up_to_this == 0 ? 0 : Lanes::highest_set_bit(up_to_this), lane);
      value const carry = Lanes::shuffle_up(inclusive, 1);
      bool const at_once = (bits & 1u) != 0;
      if (bits != 0 && lane > 0) {
        value sum = carry;
        if (!at_once) sum = op(carry, front);
        to_values[slot] = sum;
      }
      runs = static_cast<int>(Lanes::shuffle(through, Lanes::size - 1));
      bare = (Lanes::ballot(at_once) & 1u) != 0;
      Lanes::sync();
      return make_run_sum(Lanes::shuffle(inclusive, Lanes::size - 1), static_cast<std::uint64_t>(runs));
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
