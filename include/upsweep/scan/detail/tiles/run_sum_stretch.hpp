// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/problem/scan_lanes.hpp>
#include <upsweep/scan/detail/segments/run_sums.hpp>
#include <upsweep/scan/detail/tiles/transposed_items.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// A warp's stretch of keys and values whose runs are reduced, neighbours for each lane. A lane folds its elements and
/// restarts at the first one of each run; one scan of the lanes, from heads on, gives what each one's first run has
/// from the lanes before. Keys and sums of the runs that begin in the stretch go to scratch, in order: only the first
/// sum needs what comes before the stretch.
template <class Problem, int Items, class Lanes>
struct run_sum_stretch {
  using state = typename Problem::state;
  using value = typename decltype(Problem::out.monoid)::value_type;
  using key = typename decltype(Problem::in.heads.keys)::value_type;
  using input = typename decltype(Problem::in.in)::value_type;
  using key_row = transposed_items<key, Items, Lanes>;
  using value_row = transposed_items<input, Items, Lanes>;
  static constexpr int items = Items;
  static constexpr int elements = Lanes::size * items;
  /// Of scratch: first the elements, while they are transposed; then the runs.
  static constexpr std::size_t key_bytes = std::max<std::size_t>(key_row::bytes, elements * sizeof(key));
  static constexpr std::size_t value_bytes = std::max<std::size_t>(value_row::bytes, elements * sizeof(value));

  int runs;   ///< that begin in the stretch
  bool bare;  ///< one begins with its first element

  /// Puts the runs that begin in the stretch into scratch, each with the sum of what is before it in the stretch
  /// since the last head. Returns the fold of the stretch, in every lane.
  /// Elements are those from `first` on, `length` of them, before which there is the key `before`. Pre: length > 0.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION state fold(Problem const& p, unsigned char* keys_of_runs, unsigned char* values_of_runs,
                                         std::size_t first, int length, key const& before, key_row const& keys,
                                         value_row const& values, int lane) {
    int const there = Whole ? items : Kokkos::clamp(length - lane * items, 0, static_cast<int>(items));
    std::uint32_t const bits = heads_of<Whole>(p, first, keys, before, there, lane);
    auto const& op = p.out.monoid;
    auto* const to_keys = reinterpret_cast<key*>(keys_of_runs);
    auto* const to_values = reinterpret_cast<value*>(values_of_runs);
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

  /// Passes the runs on. prefix: of all elements before the stretch.
  KOKKOS_FORCEINLINE_FUNCTION void emit(Problem const& p, unsigned char const* keys_of_runs,
                                        unsigned char const* values_of_runs, state const& prefix, int lane) const {
    auto const& op = p.out.monoid;
    auto const& out = p.out.out;
    std::uint64_t const base = prefix.runs();
    for (int at = lane; at < runs; at += Lanes::size) {
      std::uint64_t const run = base + static_cast<std::uint64_t>(at);
      out.begins(run, reinterpret_cast<key const*>(keys_of_runs)[at]);
      value sum = prefix.value;
      if (at > 0) sum = reinterpret_cast<value const*>(values_of_runs)[at];
      else if (!bare) sum = op(sum, reinterpret_cast<value const*>(values_of_runs)[at]);
      if (run > 0) out.ends(run - 1, sum);
    }
  }

 private:
  /// One bit for each element of the lane: whether a run begins there.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t heads_of(Problem const& p, std::size_t first, key_row const& keys,
                                                     key const& before, int there, int lane) const {
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
};

}  // namespace upsweep::scan::detail
