// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/gpu/element_chunk.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/scan/detail/problem/contiguous_bytes.hpp>
#include <upsweep/scan/detail/problem/scan_lanes.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/scan/detail/tiles/pipeline_hardware.hpp>
#include <upsweep/scan/tuning.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace upsweep::scan::detail {

using internal::warp_lanes;

/// Bytes of the longer one of a problem's input and output elements, and of the slot in scratch that holds either.
template <class Problem>
inline constexpr std::size_t widest_element =
    std::max(sizeof(typename decltype(Problem::in)::value_type), sizeof(typename decltype(Problem::out)::value_type));
template <class Problem, std::size_t Widest = widest_element<Problem>>
inline constexpr int pipelined_slot = Widest <= 1    ? 1
                                      : Widest <= 2  ? 2
                                      : Widest <= 4  ? 4
                                      : Widest <= 8  ? 8
                                      : Widest <= 16 ? 16
                                                     : 32;

/// The shapes of a problem's tiles, by the size of its elements.
template <class Problem, class Tuning>
using pipeline_shape_of =
    std::conditional_t<(pipelined_slot<Problem> <= 4), typename Tuning::pipelined_4, typename Tuning::pipelined_8>;

/// One thread's part of a tile in scratch. Every thread owns `items` elements side by side in slots that hold an
/// input element before the scan and an output element behind it, and touches them 16 bytes at a time: the part of a
/// thread is an odd multiple of 16 bytes, so that a warp's accesses spread over all banks. Whole: the tile is not the
/// last, partial one.
template <class Problem, class Shape>
struct pipelined_tile {
  using state = typename Problem::state;
  using input = typename decltype(Problem::in)::value_type;
  using output = typename decltype(Problem::out)::value_type;

  static constexpr std::size_t widest = widest_element<Problem>;
  static constexpr int slot = pipelined_slot<Problem>;
  static constexpr int access = std::max(slot, 16);
  static constexpr int per_access = access / slot;
  static constexpr int accesses = Shape::bytes_per_thread / access;
  static constexpr int items = accesses * per_access;
  static constexpr int threads = Shape::workers * warp_lanes::size;
  static constexpr std::size_t size = static_cast<std::size_t>(threads) * items;
  static constexpr std::uint32_t bytes = static_cast<std::uint32_t>(size) * slot;
  static constexpr std::uint32_t stage_bytes = bytes;
  static constexpr bool falls_back_from_first = true;  ///< decoupled_look_back.hpp, wait_for_prefix()
  /// What a thread knows of its elements beside them, from its fold to its scan.
  struct note {};

  /// Elements travel as bytes, and states through registers.
  static constexpr bool possible = widest <= 32 && sizeof(state) <= 64 && std::is_trivially_copyable_v<input> &&
                                   std::is_trivially_copyable_v<output> && std::is_default_constructible_v<input> &&
                                   std::is_default_constructible_v<output>;
  static constexpr bool can_copy_in = is_contiguous_sequence<decltype(Problem::in)> && sizeof(input) == slot;
  static constexpr bool can_copy_out = is_contiguous_sequence<decltype(Problem::out)> && sizeof(output) == slot;

  static bool aligned_in(Problem const& p) {
    return can_copy_in && reinterpret_cast<std::uintptr_t>(contiguous_bytes(p.in)) % 16 == 0;
  }
  static bool aligned_out(Problem const& p) {
    return can_copy_out && reinterpret_cast<std::uintptr_t>(contiguous_bytes(p.out)) % 16 == 0;
  }

  /// Arrives, too.
  KOKKOS_FUNCTION static void copy_in(Problem const& p, std::size_t number, void* stage, phase_barrier& full) {
    full.arrive_expecting(bytes);
    copy_values_in(p, number, stage, full);
  }
  KOKKOS_FUNCTION static void copy_values_in(Problem const& p, std::size_t number, void* stage, phase_barrier& full) {
    bulk_copy::load<stores_with_element<decltype(Problem::out)>>(stage, contiguous_bytes(p.in) + number * bytes, bytes,
                                                                 full);
  }
  KOKKOS_FUNCTION static void copy_out(Problem const& p, std::size_t number, void const* stage) {
    bulk_copy::store(contiguous_bytes(p.out) + number * bytes, stage, bytes);
  }

  /// The part of a worker in tile `number`.
  KOKKOS_FUNCTION static pipelined_tile at(Problem const& p, std::size_t number, unsigned char* stage, int thread,
                                           int lane) {
    std::size_t const begin = number * size;
    return {stage, thread, lane, begin, Kokkos::min(p.n - begin, static_cast<std::size_t>(size))};
  }

  unsigned char* stage;
  int thread;  ///< among the workers
  int lane;
  std::size_t begin;  ///< the tile's first element
  std::size_t length;

  /// The workers' own load: a warp brings the elements of its threads, neighbouring lanes neighbouring elements.
  template <bool Whole>
  KOKKOS_FUNCTION note load(Problem const& p) const {
    int const first = (thread - lane) * items + lane;
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) {
      int const at = first + k * warp_lanes::size;
      // Elements that are not there: the last one again, so that no load waits for a branch.
      auto const index = static_cast<std::size_t>(at);
      input const x = p.in.load(begin + (Whole ? index : Kokkos::min(index, length - 1)));
      memcpy(slot_of(at), &x, sizeof(x));
    }
    warp_lanes::sync();
    return {};
  }
  /// In its place, where the hardware has copied a whole tile.
  KOKKOS_FUNCTION static note copied(Problem const&) { return {}; }

  /// The workers' own store.
  template <bool Whole>
  KOKKOS_FUNCTION void unload(Problem const& p) const {
    warp_lanes::sync();
    int const first = (thread - lane) * items + lane;
    if constexpr (stores_with_element<decltype(Problem::out)>) {
      unload_with_elements<Whole>(p, first);
    } else {
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k) {
        int const at = first + k * warp_lanes::size;
        if (Whole || static_cast<std::size_t>(at) < length) {
          output y;
          memcpy(&y, slot_of(at), sizeof(y));
          p.out.store(begin + static_cast<std::size_t>(at), y);
        }
      }
    }
  }

  /// The combination of the thread's elements, from the left; the identity where it has none.
  template <bool Whole>
  KOKKOS_FUNCTION state fold(Problem const& p, note) const {
    state sum = p.monoid.identity();
    for_each_access([&](auto first, int a) {
      chunk const c = chunks()[a];
      UPSWEEP_UNROLL
      for (int k = 0; k < per_access; ++k) {
        if (Whole || a * per_access + k < mine()) {
          state const x = internal::lift(p.monoid, c.template take<input>(k));
          if (decltype(first)::value && k == 0) sum = x;
          else sum = p.monoid(sum, x);
        }
      }
    });
    return sum;
  }

  /// The same from the input itself.
  KOKKOS_FUNCTION state fold_input(Problem const& p) const {
    state sum = p.monoid.identity();
    std::size_t const first = begin + static_cast<std::size_t>(thread) * items;
    for (int k = 0; k < mine(); ++k) {
      state const x = internal::lift(p.monoid, p.in.load(first + static_cast<std::size_t>(k)));
      if (k == 0) sum = x;
      else sum = p.monoid(sum, x);
    }
    return sum;
  }

  /// Scans the thread's elements in place behind `running`.
  template <bool Whole>
  KOKKOS_FUNCTION void scan(Problem const& p, state running, note) const {
    chunk ahead = chunks()[0];
    for_each_access([&](auto, int a) {
      // Read before the store below, which might be to the same place for all that a compiler knows.
      chunk c = ahead;
      if (a + 1 < accesses) ahead = chunks()[a + 1];
      UPSWEEP_UNROLL
      for (int k = 0; k < per_access; ++k) {
        if (Whole || a * per_access + k < mine()) {
          state const next = p.monoid(running, internal::lift(p.monoid, c.template take<input>(k)));
          c.put(k, internal::lower<output>(p.monoid, Problem::inclusive ? next : running));
          running = next;
        }
      }
      chunks()[a] = c;
    });
  }

  using chunk = internal::element_chunk<slot, access>;
  KOKKOS_FUNCTION chunk* chunks() const { return reinterpret_cast<chunk*>(stage) + thread * accesses; }

  /// Elements of this thread that exist.
  KOKKOS_FUNCTION int mine() const {
    auto const first = static_cast<std::size_t>(thread) * items;
    return length <= first ? 0 : static_cast<int>(Kokkos::min(length - first, static_cast<std::size_t>(items)));
  }

  /// body(is it the first?, a) for all accesses of a thread in order; small elements make long bodies, which
  /// are not unrolled.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_each_access(Body const& body) {
    body(std::true_type{}, 0);
    if constexpr (items <= 32) {
      UPSWEEP_UNROLL
      for (int a = 1; a < accesses; ++a) body(std::false_type{}, a);
    } else {
      UPSWEEP_NO_UNROLL
      for (int a = 1; a < accesses; ++a) body(std::false_type{}, a);
    }
  }

 private:
  /// The slot of element `at` of the tile, as what the compiler may access in one piece.
  KOKKOS_FORCEINLINE_FUNCTION unsigned char* slot_of(int at) const {
    return static_cast<unsigned char*>(__builtin_assume_aligned(stage + at * slot, slot < 16 ? slot : 16));
  }

  /// unload() to an output that wants the elements, too: a few at a time, so that registers do.
  template <bool Whole>
  KOKKOS_FUNCTION void unload_with_elements(Problem const& p, int first) const {
    constexpr int together = sizeof(input) <= 8 ? 4 : 2;
    UPSWEEP_UNROLL
    for (int k = 0; k < items; k += together) {
      input x[together];
      UPSWEEP_UNROLL
      for (int j = 0; j < together && k + j < items; ++j) {
        auto const index = static_cast<std::size_t>(first + (k + j) * warp_lanes::size);
        x[j] = p.in.load(begin + (Whole ? index : Kokkos::min(index, length - 1)));
      }
      UPSWEEP_UNROLL
      for (int j = 0; j < together && k + j < items; ++j) {
        int const at = first + (k + j) * warp_lanes::size;
        if (Whole || static_cast<std::size_t>(at) < length) {
          output y;
          memcpy(&y, slot_of(at), sizeof(y));
          p.out.store(begin + static_cast<std::size_t>(at), y, x[j]);
        }
      }
    }
  }
};

/// The aggregate of a tile from its input, by the expression of its owner, in every lane of the warp that calls.
template <class Tile, class Problem>
struct tile_reduction {
  using state = typename Problem::state;
  Problem const& problem;
  int lane;

  KOKKOS_FUNCTION state operator()(std::size_t number) const {
    auto const& op = problem.monoid;
    state own = op.identity();
    constexpr int workers = Tile::threads / warp_lanes::size;
    for (int w = 0; w < workers; ++w) {
      Tile const t = Tile::at(problem, number, nullptr, w * warp_lanes::size + lane, lane);
      state const sum =
          warp_lanes::shuffle(scan_lanes<warp_lanes>(op, t.fold_input(problem), lane), warp_lanes::size - 1);
      if (lane == w) own = sum;
    }
    using warp_sums = internal::warp_sums<warp_lanes, workers>;
    return warp_sums::total(warp_sums::scan(op, own, lane));
  }
};

}  // namespace upsweep::scan::detail
