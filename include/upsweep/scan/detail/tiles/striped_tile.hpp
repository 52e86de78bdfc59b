// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/gpu/element_chunk.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/scan/detail/problem/commutes.hpp>
#include <upsweep/scan/detail/problem/contiguous_bytes.hpp>
#include <upsweep/scan/detail/problem/scan_lanes.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

using internal::element_chunk;

/// One thread's part of a tile, in registers. A warp has a run of elements side by side and goes through it in rounds:
/// in each, lane k has the k-th chunk of 16 bytes (one element, where that is not 1, 2, 4, 8 or 16 bytes long). So a
/// warp's accesses lie side by side, and no scratch is needed to transpose them.
///
/// Rounds go in groups: their lanes are scanned beside one another, and the first lane of a group's first round takes
/// the sum of the rounds before into its own.
///
/// Association: an element's result is prefix * (sum of the rounds before in the warp * sums of the lanes before *
/// elements before). Unless scans_in_registers it is (prefix * (sum of the rounds before * sums of the lanes before)) *
/// elements before, each in its order. The sum of the rounds before has been combined already with what the first lane
/// has, where a group of rounds begins. Whether elements come in chunks or alone makes no difference.
/// The run's own sum, which other warps and tiles get, is that of all rounds by the same expression; if sums_first, it
/// is a balanced tree of what the lanes have, each the left fold of its elements of all rounds.
template <class Problem, class Shape, class Lanes = internal::warp_lanes>
struct striped_tile {
  using state = typename Problem::state;
  using monoid_type = typename Problem::monoid_type;
  using input = typename decltype(Problem::in)::value_type;
  using output = typename decltype(Problem::out)::value_type;

  /// Elements are kept as bytes; others are loaded again for the scan.
  static constexpr bool keeps = std::is_trivially_copyable_v<input> && std::is_default_constructible_v<input>;
  static constexpr bool chunked = keeps && sizeof(input) <= 16 && std::has_single_bit(sizeof(input));
  static constexpr int bytes = chunked ? 16 : static_cast<int>((sizeof(input) + 3) / 4 * 4);
  static constexpr int slot = chunked ? static_cast<int>(sizeof(input)) : bytes;
  static constexpr int per_round = bytes / slot;
  /// Sums of rounds are in registers, too: long states have few. Rounds are unrolled: small elements have few.
  static constexpr int most_items = 40;
  static constexpr int rounds = std::max<int>(
      1, std::min<int>({Shape::bytes_per_thread / bytes, Shape::bytes_per_thread / static_cast<int>(sizeof(state)),
                        most_items / per_round}));
  static constexpr std::size_t warp_elements = static_cast<std::size_t>(Lanes::size) * rounds * per_round;
  static constexpr std::size_t size = Shape::warps * warp_elements;

  static constexpr bool can_load_chunks =
      chunked && std::is_same_v<decltype(Problem::in), internal::contiguous_sequence<input const>>;
  static constexpr bool can_store_chunks =
      chunked && sizeof(output) == sizeof(input) && std::is_trivially_copyable_v<output> &&
      std::is_same_v<decltype(Problem::out), internal::contiguous_sequence<output>>;

  /// Whether fold() scans the elements where they are, so that scan() puts the prefix in front of each. Else it leaves
  /// them, and keeps a sum a round: more registers. H200, 2^28, the same tile in a first sketch, fraction of a copy,
  /// double 0.83 (with sums 0.72), int64 0.87 (0.87), int32 0.89 (0.88). Short elements have more of them than
  /// registers, and one operation more for each is what costs.
  static constexpr bool scans_in_registers = chunked && slot >= 4 && sizeof(state) == sizeof(input) &&
                                             std::is_trivially_copyable_v<state> &&
                                             std::is_default_constructible_v<state>;

  /// Rounds of a group. Where several teams must fit, long states need more registers than there are for all rounds
  /// beside one another: nvcc 13 then spills elements that have come before it asks for the next. H200, 2026-11-22,
  /// 2^28 int32 / int64 / double, 8 warps of 160 bytes, fraction of a copy: groups of 1 0.836 / 0.833 / 0.801, 2
  /// 0.847 / 0.829 / 0.818, 3 0.847 / 0.835 / 0.825, 4 0.858 / 0.831 / 0.825, all 0.858 / 0.827 / 0.607.
  static constexpr int rounds_of_group = sizeof(state) <= 4 || Shape::teams == 1 ? rounds : 4;

  /// Whether operands are taken in any order.
  static constexpr bool in_any_order = commutes<monoid_type> && keeps;
  /// Whether fold() adds up what lanes have before they scan it: the tile's sum is known earlier, and lanes scan while
  /// the prefix is waited for. Where several teams must fit, there are no registers for it.
  static constexpr bool sums_first = in_any_order && Shape::teams == 1;

  /// Its lanes need no scratch.
  struct exchange {};

  element_chunk<slot, bytes> held[keeps ? rounds : 1] = {};
  /// Of each round: the fold of the warp's elements before this lane's; not of the warp's first elements.
  state left[scans_in_registers ? 1 : rounds];

  /// Whether whole tiles of a problem are loaded and stored 16 bytes at a time where their types allow it. Others go
  /// element by element, as the last, partial tile does.
  static bool goes_by_chunks(Problem const& p) {
    auto const is_aligned = [](char const* at) { return reinterpret_cast<std::uintptr_t>(at) % 16 == 0; };
    return (!can_load_chunks || is_aligned(contiguous_bytes(p.in))) &&
           (!can_store_chunks || is_aligned(contiguous_bytes(p.out)));
  }

  /// The elements of the run that begins at element `first`.
  KOKKOS_FORCEINLINE_FUNCTION static int run_length(Problem const& p, std::size_t first) {
    return p.n <= first ? 0 : static_cast<int>(Kokkos::min(p.n - first, static_cast<std::size_t>(warp_elements)));
  }

  /// Loads the run of a warp that begins at element `first` and has `length` ones. Whole: all of them exist, and
  /// goes_by_chunks().
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void load(Problem const& p, std::size_t first, int length, int lane) {
    if constexpr (Whole && can_load_chunks) {
      auto const* const from = reinterpret_cast<element_chunk<slot, bytes> const*>(p.in.data + first) + lane;
      UPSWEEP_UNROLL
      for (int r = 0; r < rounds; ++r) held[r] = from[r * Lanes::size];
    } else if constexpr (keeps) {
      UPSWEEP_UNROLL
      for (int r = 0; r < rounds; ++r) load_elements<Whole>(p, first, place(r, lane), length, held[r]);
    }
  }

  /// load() of the first `rows` rounds of a run, all of whose elements exist. Pre: goes_by_chunks().
  KOKKOS_FORCEINLINE_FUNCTION void load_rows(Problem const& p, std::size_t first, int rows, int lane) {
    if constexpr (can_load_chunks) {
      auto const* const from = reinterpret_cast<element_chunk<slot, bytes> const*>(p.in.data + first) + lane;
      UPSWEEP_UNROLL
      for (int r = 0; r < rounds; ++r)
        if (r < rows) held[r] = from[r * Lanes::size];
    } else {
      load<false>(p, first, rows * Lanes::size * per_round, lane);
    }
  }

  /// The fold of the warp's run, in every lane.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION state fold(Problem const& p, std::size_t first, int length, exchange const&, int lane) {
    if constexpr (sums_first) return internal::fold_lanes<Lanes>(p.monoid, sum_of_lane<Whole>(p, length, lane), lane);
    else return scan_lanes_of_rounds<Whole>(p, first, length, lane);
  }
  /// What is left to do between fold() and scan().
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void arrange(Problem const& p, std::size_t first, int length, int lane) {
    if constexpr (sums_first) scan_lanes_of_rounds<Whole>(p, first, length, lane);
  }

  /// The fold of all elements that a lane has, in any order.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION state sum_of_lane(Problem const& p, int length, int lane) const {
    state sum = p.monoid.identity();
    UPSWEEP_UNROLL
    for (int r = 0; r < rounds; ++r) {
      state const own =
          fold_elements<Whole>(p, place(r, lane), length, [&](int k) { return held[r].template take<input>(k); });
      sum = r == 0 ? own : p.monoid(sum, own);
    }
    return sum;
  }

  /// Puts what is before it in the warp in front of each lane's part of a round. Returns the fold of all rounds.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION state scan_lanes_of_rounds(Problem const& p, std::size_t first, int length, int lane) {
    auto const& op = p.monoid;
    state sum = op.identity();
    UPSWEEP_UNROLL
    for (int r = 0; r < rounds; ++r) {
      state const inclusive = scan_round(op, fold_own<Whole>(p, first, r, lane, length), sum, r, lane);
      state const below = Lanes::shuffle_up(inclusive, 1);
      state const before = has_sum(r) ? (lane == 0 ? sum : below) : r == 0 ? below : lane == 0 ? sum : op(sum, below);
      if constexpr (scans_in_registers)
        put_before<Whole>(p, before, r == 0 && lane == 0, place(r, lane), length, held[r]);
      else left[r] = before;
      sum = sum_with(op, sum, inclusive, r);
    }
    return sum;
  }

  /// The fold of the warp's run in every lane, for who scans nothing: another expression, and about one operation of
  /// all lanes a round. Of rounds that have no elements the identity is folded.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION state reduce(Problem const& p, std::size_t first, int length, int lane) const {
    state row[rounds];
    UPSWEEP_UNROLL
    for (int r = 0; r < rounds; ++r)
      row[r] = fold_elements<Whole>(p, place(r, lane), length, [&](int k) { return element(p, first, r, lane, k); });
    return internal::fold_rows<Lanes, 0, rounds>(p.monoid, row, lane);
  }

  /// fold() of another warp's run, from the input, by the same expression; keeps nothing.
  KOKKOS_FUNCTION static state fold_input(Problem const& p, std::size_t first, int lane) {
    auto const& op = p.monoid;
    int const length = run_length(p, first);
    state sum = op.identity();
    UPSWEEP_NO_UNROLL
    for (int r = 0; r < rounds; ++r) {
      auto const take = [&](int k) { return p.in.load(first + static_cast<std::size_t>(place(r, lane) + k)); };
      state const own = fold_elements<false>(p, place(r, lane), length, take);
      if constexpr (sums_first) sum = r == 0 ? own : op(sum, own);
      else sum = sum_with(op, sum, scan_round(op, own, sum, r, lane), r);
    }
    if constexpr (sums_first) return internal::fold_lanes<Lanes>(op, sum, lane);
    else return sum;
  }

  /// Scans the elements behind `prefix`, that of the warp's run, and stores the results.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void scan(Problem const& p, std::size_t first, int length, exchange const&, int lane,
                                        state const& prefix) const {
    auto const& op = p.monoid;
    UPSWEEP_UNROLL
    for (int r = 0; r < rounds; ++r) {
      [[maybe_unused]] state running = prefix;
      if constexpr (!scans_in_registers)
        if (r > 0 || lane > 0) running = op(prefix, left[r]);
      auto const result = [&](int k) {
        if constexpr (scans_in_registers) {
          bool const is_first = !Problem::inclusive && r == 0 && k == 0 && lane == 0;
          return internal::lower<output>(op, is_first ? prefix : op(prefix, held[r].template take<state>(k)));
        } else {
          return next(p, element(p, first, r, lane, k), running);
        }
      };
      store_round<Whole>(p, first, length, r, lane, result);
    }
  }

  /// Stores result(k) for the elements of a lane's part of a round.
  template <bool Whole, class Result>
  KOKKOS_FORCEINLINE_FUNCTION static void store_round(Problem const& p, std::size_t first, int length, int r, int lane,
                                                      Result const& result) {
    if constexpr (Whole && can_store_chunks) {
      element_chunk<slot, bytes> results{};
      UPSWEEP_UNROLL
      for (int k = 0; k < per_round; ++k) results.put(k, result(k));
      (reinterpret_cast<element_chunk<slot, bytes>*>(p.out.data + first) + lane)[r * Lanes::size] = results;
    } else if constexpr (stores_with_element<decltype(Problem::out)> && keeps) {
      element_chunk<slot, bytes> elements{};
      if constexpr (Whole && can_load_chunks)
        elements = (reinterpret_cast<element_chunk<slot, bytes> const*>(p.in.data + first) + lane)[r * Lanes::size];
      else if (Whole || length > 0) load_elements<Whole>(p, first, place(r, lane), length, elements);
      UPSWEEP_UNROLL
      for (int k = 0; k < per_round; ++k) {
        int const at = place(r, lane) + k;
        if (Whole || at < length)
          p.out.store(first + static_cast<std::size_t>(at), result(k), elements.template take<input>(k));
      }
    } else {
      UPSWEEP_UNROLL
      for (int k = 0; k < per_round; ++k) {
        int const at = place(r, lane) + k;
        if (Whole || at < length) p.out.store(first + static_cast<std::size_t>(at), result(k));
      }
    }
  }

  /// Where a lane's part of a round begins in the run.
  KOKKOS_FORCEINLINE_FUNCTION static int place(int r, int lane) { return (r * Lanes::size + lane) * per_round; }

 private:
  /// Whether the lanes' scan of a round has the sum of the rounds before in it.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool has_sum(int r) { return r > 0 && r % rounds_of_group == 0; }

  /// The lanes' scan of a round.
  KOKKOS_FORCEINLINE_FUNCTION static state scan_round(monoid_type const& op, state const& own, state const& sum, int r,
                                                      int lane) {
    return scan_lanes<Lanes>(op, has_sum(r) && lane == 0 ? op(sum, own) : own, lane);
  }
  /// The sum of the rounds up to this one, in every lane.
  KOKKOS_FORCEINLINE_FUNCTION static state sum_with(monoid_type const& op, state const& sum, state const& inclusive,
                                                    int r) {
    state const round = Lanes::shuffle(inclusive, Lanes::size - 1);
    return r == 0 || has_sum(r) ? round : op(sum, round);
  }

  /// Element k of a lane's part of a round; of one that exists.
  KOKKOS_FORCEINLINE_FUNCTION input element(Problem const& p, [[maybe_unused]] std::size_t first, int r, int lane,
                                            int k) const {
    if constexpr (keeps) return held[r].template take<input>(k);
    else return p.in.load(first + static_cast<std::size_t>(place(r, lane) + k));
  }

  /// Pre: length > 0.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION static void load_elements(Problem const& p, std::size_t first, int begin, int length,
                                                        element_chunk<slot, bytes>& chunk) {
    UPSWEEP_UNROLL
    for (int k = 0; k < per_round; ++k) {
      // Elements that are not there: the last one again, so that no load waits for a branch.
      int const at = Whole ? begin + k : Kokkos::min(begin + k, length - 1);
      chunk.put(k, p.in.load(first + static_cast<std::size_t>(at)));
    }
  }

  /// The fold of take(0), take(1), ... as far as they exist; the identity where none does.
  template <bool Whole, class Take>
  KOKKOS_FORCEINLINE_FUNCTION static state fold_elements(Problem const& p, int begin, int length, Take const& take) {
    state sum = p.monoid.identity();
    UPSWEEP_UNROLL
    for (int k = 0; k < per_round; ++k) {
      if (Whole || begin + k < length) {
        state const x = internal::lift(p.monoid, take(k));
        sum = k == 0 ? x : p.monoid(sum, x);
      }
    }
    return sum;
  }

  /// Replaces each element by the fold of those before it in the chunk, its own too if the scan is inclusive; the
  /// first one of an exclusive scan stays as it is. Returns the fold of all of them that exist; the identity
  /// where none does.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION static state scan_chunk(Problem const& p, int begin, int length,
                                                      element_chunk<slot, bytes>& chunk) {
    state sum = p.monoid.identity();
    UPSWEEP_UNROLL
    for (int k = 0; k < per_round; ++k) {
      if (Whole || begin + k < length) {
        state const x = internal::lift(p.monoid, chunk.template take<input>(k));
        state const through = k == 0 ? x : p.monoid(sum, x);
        if (Problem::inclusive || k > 0) chunk.put(k, Problem::inclusive ? through : sum);
        sum = through;
      }
    }
    return sum;
  }

  /// The fold of a lane's elements in a round.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION state fold_own(Problem const& p, std::size_t first, int r, int lane, int length) {
    if constexpr (scans_in_registers) return scan_chunk<Whole>(p, place(r, lane), length, held[r]);
    else return fold_elements<Whole>(p, place(r, lane), length, [&](int k) { return element(p, first, r, lane, k); });
  }

  /// Puts what is before the chunk in front of what scan_chunk() has left; nothing, if it is the warp's first.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION static void put_before(Problem const& p, state const& before, bool is_first, int begin,
                                                     int length, element_chunk<slot, bytes>& chunk) {
    UPSWEEP_UNROLL
    for (int k = 0; k < per_round; ++k) {
      if (!Problem::inclusive && k == 0) {
        chunk.put(k, before);
      } else if (Whole || begin + k < length) {
        state const x = chunk.template take<state>(k);
        chunk.put(k, is_first ? x : p.monoid(before, x));
      }
    }
  }

  /// The result at an element; `running` goes on behind it.
  KOKKOS_FORCEINLINE_FUNCTION static output next(Problem const& p, input const& x, state& running) {
    state const behind = p.monoid(running, internal::lift(p.monoid, x));
    output const result = internal::lower<output>(p.monoid, Problem::inclusive ? behind : running);
    running = behind;
    return result;
  }
};

}  // namespace upsweep::scan::detail
