// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/scan/detail/problem/selection_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// Rows of a warp: an element takes a register at least, and a thread has 32 bits to remember which ones are chosen.
template <class T, int BytesPerThread>
inline constexpr int selection_rows_of = std::clamp(BytesPerThread / std::max(static_cast<int>(sizeof(T)), 4), 1, 32);
/// Elements of a tile, a multiple of a warp's lanes.
template <class T, int Warps, int BytesPerThread, class Lanes>
inline constexpr int selection_tile_size = (Warps * Lanes::size * selection_rows_of<T, BytesPerThread>);

/// One thread's part of a selection's tile. A warp has rows of as many elements as it has lanes, one for each lane, in
/// registers. The rows' ballots give an element its place among the chosen ones of the warp. All elements of a tile
/// meet in scratch, in the order in which they leave: the chosen ones, then the others; the threads store them from
/// there side by side.
///
/// Rows and not neighbours for each thread, as scans have: the user's functor reads neighbouring memory in neighbouring
/// lanes, and lanes that put neighbours into scratch do not meet in a bank.
///
/// With three parts there are two such bits for each row, and a warp's counts of both parts are halves of one word. The
/// tile's elements meet in scratch as first part, second part, rest.
///
/// Backwards, tiles are taken from the last one on, and what is called chosen here is the rest.
template <class Problem, int Warps, int BytesPerThread, class Lanes>
struct selection_rows {
  using element = typename Problem::element;
  static constexpr int rows = selection_rows_of<element, BytesPerThread>;
  static constexpr int threads = Warps * Lanes::size;
  static constexpr int size = selection_tile_size<element, Warps, BytesPerThread, Lanes>;
  /// Whether p.chosen is asked with the element before, too; element 0 is chosen and not asked for.
  static constexpr bool asks_with_previous = requires { requires Problem::chosen_type::wants_previous; };
  /// Bytes before a tile in scratch, which end with the element before it; a multiple of 128, because copies by the
  /// hardware that begin elsewhere read parts of lines twice.
  static constexpr int bytes_before = asks_with_previous ? 128 : 0;
  static constexpr int parts = Problem::parts;
  static_assert(parts == 2 || size < 1 << 15, "upsweep: halves of a word count the elements of a tile.");

  std::size_t begin;  ///< the tile's first element
  int there;          ///< elements of the tile
  int first;          ///< the thread's first element in the tile
  element mine[rows];
  element left;             ///< of a first lane: the element before `mine`, where it is asked for
  std::uint32_t is_chosen;  ///< one bit per row
  std::uint32_t is_second;  ///< the same of the second of three parts

  /// Of the tile that is taken as `number`.
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t begin_of(std::size_t number, std::size_t tiles, bool backwards) {
    return (backwards ? tiles - 1 - number : number) * size;
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool is_whole(Problem const& p, std::size_t begin) { return begin + size <= p.n; }
  KOKKOS_FORCEINLINE_FUNCTION static int length(Problem const& p, std::size_t begin) {
    return static_cast<int>(Kokkos::min(p.n - begin, static_cast<std::size_t>(size)));
  }

  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void set_place(Problem const& p, std::size_t tile_begin, int warp, int lane) {
    begin = tile_begin;
    there = Whole ? size : length(p, tile_begin);
    first = warp * rows * Lanes::size + lane;
  }

  /// Each by a load of its own.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void load(Problem const& p) {
    UPSWEEP_UNROLL
    for (int r = 0; r < rows; ++r) {
      // Elements that are not there: the last one again, so that no load waits for a branch.
      int const at = index(r);
      mine[r] = p.in.load(begin + static_cast<std::size_t>(Whole ? at : Kokkos::min(at, there - 1)));
    }
    if constexpr (asks_with_previous) {
      // This load goes out with the others. When it waited for them, unique of 2^24 int32 took 51 us in place of 43
      // (H200, 2026-11-23).
      std::size_t const at = begin + static_cast<std::size_t>(Kokkos::min(first, there));
      left = element();
      if (first % Lanes::size == 0 && at > 0) left = p.in.load(at - 1);
    }
  }
  /// From a tile in scratch, behind bytes_before.
  KOKKOS_FORCEINLINE_FUNCTION void load(element const* slots) {
    UPSWEEP_UNROLL
    for (int r = 0; r < rows; ++r) mine[r] = slots[index(r)];
    if constexpr (asks_with_previous) left = slots[first - 1];
  }

  /// Counts of a tile or of a warp, from one word to the state of the prefixes and back.
  KOKKOS_FORCEINLINE_FUNCTION static typename Problem::counts state_of(std::uint32_t counts) {
    if constexpr (parts == 3) return {{counts & 0xffffu, counts >> 16}};
    else return counts;
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t tile_counts(typename Problem::counts const& state) {
    if constexpr (parts == 3) return static_cast<std::uint32_t>(state.of[0] | state.of[1] << 16);
    else return static_cast<std::uint32_t>(state);
  }

  /// Asks which elements are chosen, once for each; returns how many of the warp's are, in every lane.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t choose(Problem const& p, bool backwards) {
    if constexpr (parts == 3) return choose_of_three<Whole>(p);
    else return choose_of_two<Whole>(p, backwards);
  }
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t choose_of_two(Problem const& p, bool backwards) {
    is_chosen = 0;
    if constexpr (asks_with_previous) {
      // Elements before come from the lane before, and that of the first lane from the last lane of the row before.
      int const lane = first % Lanes::size;
      element left_of_row = left;
      UPSWEEP_UNROLL
      for (int r = 0; r < rows; ++r) {
        element const turned = Lanes::shuffle(mine[r], (lane + Lanes::size - 1) % Lanes::size);
        element const before = lane == 0 ? left_of_row : turned;
        left_of_row = turned;
        bool const begins = r == 0 && begin + static_cast<std::size_t>(first) == 0;  // element 0
        if (!Whole && index(r) >= there) continue;
        if (begins || p.chosen(before, mine[r], begin + static_cast<std::size_t>(index(r)))) is_chosen |= 1u << r;
      }
    } else {
      UPSWEEP_UNROLL
      for (int r = 0; r < rows; ++r)
        if ((Whole || index(r) < there) && p.chosen(mine[r], begin + static_cast<std::size_t>(index(r))))
          is_chosen |= 1u << r;
    }
    if (backwards) {
      int const rows_there =
          Whole ? rows : Kokkos::clamp((there - first + Lanes::size - 1) / Lanes::size, 0, static_cast<int>(rows));
      if (rows_there > 0) is_chosen ^= 0xffffffffu >> (32 - rows_there);
    }
    return Lanes::reduce_sum(static_cast<std::uint32_t>(Lanes::popcount(is_chosen)));
  }

  /// Where the thread's last chosen element is in the input; 0 for none.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t last_chosen() const {
    return is_chosen == 0
               ? 0
               : begin + static_cast<std::size_t>(index(31 - Kokkos::Experimental::countl_zero_builtin(is_chosen)));
  }

  /// The thread's number among those of all tiles, however many warps a tile has.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t thread_of_all() const {
    return begin / rows + static_cast<std::size_t>(first / (rows * Lanes::size) * Lanes::size + first % Lanes::size);
  }

  /// Calls put(slot, row, index in the tile) for the thread's elements, with their places in the tile: the chosen ones,
  /// then, if the rest is wanted, the others. before: chosen ones of the warps before, all: of the tile.
  template <bool Whole, class Put>
  KOKKOS_FORCEINLINE_FUNCTION void place(int lane, int before, int all, Put const& put) const {
    if constexpr (parts == 3) place_three<Whole>(lane, before, all, put);
    else place_two<Whole>(lane, before, all, put);
  }
  template <bool Whole, class Put>
  KOKKOS_FORCEINLINE_FUNCTION void place_two(int lane, int before, int all, Put const& put) const {
    UPSWEEP_UNROLL
    for (int r = 0; r < rows; ++r) {
      bool const chosen = (is_chosen >> r & 1u) != 0;
      typename Lanes::mask const row = Lanes::ballot(chosen);
      int const to = before + Lanes::popcount_below(row, lane);
      if constexpr (Problem::out_type::wants_rest) {
        if (Whole || index(r) < there) put(chosen ? to : all + index(r) - to, r, index(r));
      } else {
        if (chosen) put(to, r, index(r));
      }
      before += Lanes::popcount(row);
    }
  }
  /// Puts the elements into scratch, in that order.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void put(element* slots, int lane, int before, int all) const {
    place<Whole>(lane, before, all, [&](int slot, int r, int) { slots[slot] = mine[r]; });
  }

  /// Stores a tile from scratch, by all its threads. chosen: of the tile; before: of all tiles before; total: of all
  /// tiles, where it is wanted.
  template <bool Backwards>
  KOKKOS_FORCEINLINE_FUNCTION static void store(Problem const& p, std::size_t tile_begin, element const* slots,
                                                int chosen, typename Problem::counts const& before, int thread,
                                                typename Problem::counts const& total = {}) {
    if constexpr (parts == 3) store_three(p, tile_begin, slots, chosen, before, thread, total);
    else store_two<Backwards>(p, tile_begin, slots, chosen, before, thread, total);
  }

  /// The counts of a whole tile, in every lane of a warp that falls back for the tile's own warps: chosen() is called
  /// again.
  KOKKOS_FUNCTION static typename Problem::counts count_again(Problem const& p, std::size_t tile_begin, int lane) {
    static_assert(!asks_with_previous);
    int const there = length(p, tile_begin);
    std::uint32_t counts = 0;
    UPSWEEP_NO_UNROLL
    for (int at = lane; at < there; at += 4 * Lanes::size) {
      UPSWEEP_UNROLL
      for (int k = 0; k < 4; ++k) {
        std::size_t const i = tile_begin + static_cast<std::size_t>(at + k * Lanes::size);
        if (at + k * Lanes::size >= there) continue;
        if constexpr (parts == 3) {
          int const part = p.chosen(p.in.load(i), i);
          counts += part == 0 ? 1u : part == 1 ? 0x10000u : 0u;
        } else {
          counts += p.chosen(p.in.load(i), i) ? 1u : 0u;
        }
      }
    }
    return state_of(Lanes::reduce_sum(counts));
  }

 private:
  /// Loads from scratch in flight, in registers, when elements are stored.
  static constexpr int together = std::clamp(64 / static_cast<int>(sizeof(element)), 1, 4);

  KOKKOS_FORCEINLINE_FUNCTION int index(int r) const { return first + r * Lanes::size; }
  KOKKOS_FORCEINLINE_FUNCTION static int first_of(int counts) { return counts & 0xffff; }
  KOKKOS_FORCEINLINE_FUNCTION static int second_of(int counts) { return counts >> 16; }

  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t choose_of_three(Problem const& p) {
    if constexpr (has_part_bits<typename Problem::chosen_type>) {
      static_assert(Problem::chosen_type::rows == rows);
      is_chosen = is_second = 0;
      if (Whole || first < there) p.chosen.get(thread_of_all(), is_chosen, is_second);
    } else {
      is_chosen = is_second = 0;
      UPSWEEP_UNROLL
      for (int r = 0; r < rows; ++r) {
        if (Whole || index(r) < there) {
          int const part = p.chosen(mine[r], begin + static_cast<std::size_t>(index(r)));
          if (part == 0) is_chosen |= 1u << r;
          if (part == 1) is_second |= 1u << r;
        }
      }
    }
    auto const bits = [](std::uint32_t word) { return static_cast<std::uint32_t>(Lanes::popcount(word)); };
    return Lanes::reduce_sum(bits(is_chosen) | bits(is_second) << 16);
  }

  template <bool Whole, class Put>
  KOKKOS_FORCEINLINE_FUNCTION void place_three(int lane, int before, int all, Put const& put) const {
    // Places before the row, of each part.
    int to_first = first_of(before), to_second = first_of(all) + second_of(before);
    int to_rest = first_of(all) + second_of(all) + index(0) - lane - first_of(before) - second_of(before);
    UPSWEEP_UNROLL
    for (int r = 0; r < rows; ++r) {
      bool const is_in_first = (is_chosen >> r & 1u) != 0, is_in_second = (is_second >> r & 1u) != 0;
      using mask = typename Lanes::mask;
      mask const firsts = Lanes::ballot(is_in_first), seconds = Lanes::ballot(is_in_second);
      mask const same = is_in_first ? firsts : is_in_second ? seconds : static_cast<mask>(~(firsts | seconds));
      int const to = (is_in_first ? to_first : is_in_second ? to_second : to_rest) + Lanes::popcount_below(same, lane);
      if (Whole || index(r) < there) put(to, r, index(r));
      int const in_first = Lanes::popcount(firsts), in_second = Lanes::popcount(seconds);
      to_first += in_first;
      to_second += in_second;
      to_rest += Lanes::size - in_first - in_second;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static void store_three(Problem const& p, std::size_t tile_begin, element const* slots,
                                                      int counts, typename Problem::counts const& before, int thread,
                                                      [[maybe_unused]] typename Problem::counts const& total) {
    auto const& out = p.out;
    auto const starts = starts_of(p, total);
    int const firsts = first_of(counts), seconds = second_of(counts), others = length(p, tile_begin) - firsts - seconds;
    std::uint64_t const first = starts.of[0] + before.of[0], second = starts.of[1] + before.of[1];
    std::uint64_t const rest = starts.of[2] + tile_begin - before.of[0] - before.of[1];
    store_part<false>(slots, inside(p, firsts, first), first, thread,
                      [&](std::uint64_t place, element const& x) { out.chosen(place, x); });
    store_part<false>(slots + firsts, inside(p, seconds, second), second, thread,
                      [&](std::uint64_t place, element const& x) { out.second(place, x); });
    store_part<false>(slots + firsts + seconds, inside(p, others, rest), rest, thread,
                      [&](std::uint64_t place, element const& x) { out.rest(place, x); });
  }
  /// Where the places of three parts begin.
  KOKKOS_FORCEINLINE_FUNCTION static auto starts_of(Problem const& p,
                                                    [[maybe_unused]] typename Problem::counts const& total) {
    if constexpr (Problem::wants_total) return internal::part_counts<3>{{0, total.of[0], total.of[0] + total.of[1]}};
    else return p.out.starts();
  }

  template <bool Backwards>
  KOKKOS_FORCEINLINE_FUNCTION static void store_two(Problem const& p, std::size_t tile_begin, element const* slots,
                                                    int chosen, std::uint64_t before, int thread,
                                                    [[maybe_unused]] std::uint64_t total) {
    auto const& out = p.out;
    auto const to_chosen = [&](std::uint64_t place, element const& x) { out.chosen(place, x); };
    if constexpr (Problem::out_type::wants_rest) {
      auto const to_rest = [&](std::uint64_t place, element const& x) { out.rest(place, x); };
      int const all = length(p, tile_begin), others = all - chosen;
      if constexpr (Backwards) {
        store_part<true>(slots, chosen, before, thread, to_rest);
        store_part<true>(slots + chosen, others, p.n - tile_begin - static_cast<std::size_t>(all) - before, thread,
                         to_chosen);
      } else {
        std::uint64_t const rest = tile_begin - before + (Problem::wants_total ? total : 0);
        store_part<false>(slots, clipped(p, chosen, before), before, thread, to_chosen);
        store_part<false>(slots + chosen, inside(p, others, rest), rest, thread, to_rest);
      }
    } else {
      store_part<false>(slots, clipped(p, chosen, before), before, thread, to_chosen);
    }
  }

  /// As many as there is room for.
  KOKKOS_FORCEINLINE_FUNCTION static int clipped(Problem const& p, int chosen, std::uint64_t before) {
    return clipped_to(p.out.room, chosen, before);
  }
  KOKKOS_FORCEINLINE_FUNCTION static int clipped_to(std::uint64_t all, int count, std::uint64_t before) {
    std::uint64_t const room = before < all ? all - before : 0;
    return static_cast<int>(Kokkos::min(static_cast<std::uint64_t>(count), room));
  }
  /// Where chosen() is asked more than once and answers differently, places are wrong, but none is
  /// outside of the output.
  KOKKOS_FORCEINLINE_FUNCTION static int inside(Problem const& p, int count, std::uint64_t before) {
    return Problem::wants_total ? clipped_to(p.n, count, before) : count;
  }

  /// Elements side by side, to places side by side, ascending or descending: a warp's are those between two
  /// multiples of its lanes.
  template <bool Descending, class Put>
  KOKKOS_FUNCTION static void store_part(element const* slots, int count, std::uint64_t before, int thread,
                                         Put const& put) {
    std::uint64_t const end = before + static_cast<std::uint64_t>(count);
    auto const to = [=](int at) {
      return Descending ? end - 1 - static_cast<std::uint64_t>(at) : before + static_cast<std::uint64_t>(at);
    };
    int at = thread - static_cast<int>((Descending ? 0 - end : before) % Lanes::size);
    if (at < 0) at += threads;
    for (; at + (together - 1) * threads < count; at += together * threads) {
      element x[together];
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) x[k] = slots[at + k * threads];
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) put(to(at + k * threads), x[k]);
    }
    for (; at < count; at += threads) put(to(at), slots[at]);
  }
};

}  // namespace upsweep::scan::detail
