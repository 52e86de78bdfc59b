// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/gpu/scratch_copies.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/pack/detail/moving/scratch_word.hpp>
#include <upsweep/pack/detail/sort/digit_look_back.hpp>
#include <upsweep/pack/detail/sort/key_order.hpp>
#include <upsweep/pack/detail/sort/sort_digit_counts.hpp>
#include <upsweep/pack/detail/sort/sort_route.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

using internal::scratch_copies;
using internal::warp_lanes;

// One pass of a least-significant-digit radix sort that reads and writes each key once (Adinets and Merrill, Onesweep).
//
// Work to threads: one team per tile; a warp has a run of its keys, a thread every 32nd key of that run, so that the
// order in memory is (warp, item, lane). Steps of a tile:
//   count    each warp counts its digits, by atomic sums in scratch; what all warps have is published at once
//   rank     the place of each key in the tile: where its digit begins, plus equal digits of warps before, of items
//            before, of lanes before. The lanes that have a digit are found by ballots; the highest of them takes
//            places for all.
//   gather   keys go to their places in scratch; meanwhile one thread per digit finds the tiles before
//            (digit_look_back.hpp)
//   store    neighbouring threads store neighbouring places: runs of a digit are written together
// Where a key and its value have more than 8 bytes, a tile's keys and values stay in scratch as they lie in memory,
// copied there asynchronously from the beginning on. What goes to the places is where an element comes from. So values
// arrive while keys are counted and ranked, and no thread holds a key or a value in registers. Shorter values take the
// keys' way, through registers. Values of more than 8 bytes are read where they are stored.
// H200, 2026-11-23, 2^26 pairs of 64-bit words, us (CUB 3.6.0: 6330):
//   as it is                                                            6293
//   keys in registers, values copied from the beginning on              6299
//   keys in registers, values asked for after the ranking               6818; prefetched to the L2 cache before 6503
//   keys and then values through the same scratch, 3 teams             11711
//   keys and values by the copy engine of the multiprocessor            7060
//   as it is, with a tile prefetched that comes 132 or 264 tiles later  7026, 7971
// Keys alone are bound by instructions and by waiting for scratch, not by memory:
// of 83 instructions per warp and key of 32 bits, 40 rank,
// and DRAM is busy for 28 % (H200).
// Scratch: the tile, and a few words per digit. Keys alone and pairs of up to 8 bytes lie where the counters were.
// Shared state: rows of digit_look_back, and the ticket that gives a team its tile.
// Progress: see digit_look_back.hpp.

/// Place for a value whose type may have no default constructor.
template <class Value>
union value_place {
  Value value;
  KOKKOS_FORCEINLINE_FUNCTION value_place() {}
};

template <class ExecutionSpace, class Key, class Value, class Shape>
struct sort_pass_kernel {
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  using word = key_word<Key>;
  static constexpr int radix = digit_plan::largest_radix;
  static constexpr int team_size = Shape::threads, items = Shape::items, tile = Shape::tile;
  static constexpr int warps = team_size / warp_lanes::size;
  static constexpr int digit_warps = radix / warp_lanes::size;  ///< whose threads have a digit each
  using warp_sums = internal::warp_sums<warp_lanes, digit_warps>;
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;
  /// Whether values go through scratch.
  static constexpr bool is_staged = has_values && sizeof(Value) <= 8;
  /// What goes to an element's place for its value: itself, or the place in the tile that it comes from.
  using staged = std::conditional_t<is_staged, Value, std::uint16_t>;
  /// Whether elements stay as they were read.
  static constexpr bool stays = has_values && sizeof(word) + sizeof(staged) > 8;
  /// Of the counters of a warp: then the digit follows from their addresses.
  static constexpr std::size_t alignment = radix * sizeof(std::uint32_t);
  struct move {};

  sort_route<Key, Value> route;
  std::size_t n;
  std::size_t first_tile;  // of the portion
  word flips;              // bits of keys that count inverted
  int shift;               // of the digit
  unsigned mask;           // of the digit
  int pass;
  int portion;
  sort_buffers buffers;

  struct moved_elements {
    word key[tile];
    staged value[has_values ? tile : 1];
  };
  struct sorted_elements {
    union {
      std::uint32_t count[warps][radix];
      moved_elements sorted;
    };
  };
  struct sorted_sources {
    union {
      std::uint32_t count[warps][radix];
      std::uint16_t source[tile];  // the place that an element comes from
    };
    alignas(16) Key key[tile];
    alignas(16) std::conditional_t<is_staged, Value, char> value[is_staged ? tile : 1];
  };
  struct shared : std::conditional_t<stays, sorted_sources, sorted_elements> {
    // Where the first place of the tile would be stored if it had this digit.
    Key* keys[radix];
    Value* values[has_values ? radix : 1];
    std::uint32_t warp_sum[digit_warps];
    std::uint32_t ticket;
    // Here, as registers for them would be spilled.
    sort_arrays<Key, Value> from, to;
  };

  KOKKOS_FUNCTION void operator()(move, member const& m) const {
    auto& s = *static_cast<shared*>(m.team_scratch(0).get_shmem_aligned(sizeof(shared), alignment));
    std::uint32_t const moving = buffers.moves(route.is_in_place());
    if ((moving >> pass & 1u) == 0) return;
    if (m.team_rank() == 0) {
      int const before = sort_buffers::count_below(moving, pass), moves = sort_buffers::count(moving);
      s.from = route.from(before, moves);
      s.to = route.to(before, moves);
      s.ticket = Kokkos::atomic_fetch_add(buffers.ticket(pass, portion), 1u);
    }
    for (int k = m.team_rank(); k < warps * radix; k += team_size) (&s.count[0][0])[k] = 0;
    m.team_barrier();
    std::uint32_t const number = s.ticket;
    std::size_t const begin = (first_tile + number) * tile;
    std::uint32_t const sorting = *buffers.differs;
    if ((sorting >> pass & 1u) == 0) return copy_tile(m, begin, s.from, s.to);
    digit_look_back const rows(buffers.rows + first_tile * radix, sort_buffers::count_below(sorting, pass) % 2);
    if (begin + tile <= n) move_tile<true>(m, s, number, rows);
    else move_tile<false>(m, s, number, rows);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION unsigned digit_of(word bits) const {
    return (static_cast<unsigned>(bits >> shift) & mask) ^ (static_cast<unsigned>(flips >> shift) & mask);
  }

  // 32 bits of a key with those of the digit among them: of short keys all, as bits can be picked out of them anywhere.
  static constexpr bool in_place = sizeof(word) <= 4;
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t digit_bits(word bits) const {
    return static_cast<std::uint32_t>(in_place ? bits : bits >> shift);
  }

  /// Copies a warp's run of the tile that begins at `from`.
  template <bool Whole, class T>
  KOKKOS_FORCEINLINE_FUNCTION static void begin_copies(T* to, T const* from, int warp, int lane, int valid) {
    constexpr int run = warp_lanes::size * items;
    constexpr int bytes = run * static_cast<int>(sizeof(T));
    static_assert(bytes % scratch_copies::chunk == 0);
    if (Whole && scratch_copies::has_chunks && reinterpret_cast<std::uintptr_t>(from) % scratch_copies::chunk == 0) {
      constexpr int chunks = bytes / scratch_copies::chunk;
      auto* const to_bytes = reinterpret_cast<char*>(to + warp * run);
      auto const* const from_bytes = reinterpret_cast<char const*>(from + warp * run);
      UPSWEEP_UNROLL
      for (int c = 0; c < chunks; c += warp_lanes::size)
        if (c + lane < chunks)
          scratch_copies::begin_chunk(to_bytes + (c + lane) * scratch_copies::chunk,
                                      from_bytes + (c + lane) * scratch_copies::chunk);
    } else {
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k) {
        int const at = warp * run + k * warp_lanes::size + lane;
        if (Whole || at < valid) scratch_copies::begin(&to[at], from + at);
      }
    }
  }

  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void move_tile(member const& m, shared& s, std::uint32_t number,
                                             digit_look_back const& rows) const {
    int const thread = m.team_rank(), warp = thread / warp_lanes::size, lane = thread % warp_lanes::size;
    std::size_t const begin = (first_tile + number) * tile;
    int const valid = Whole ? tile : static_cast<int>(n - begin);
    int const first_item = warp * (warp_lanes::size * items) + lane;

    [[maybe_unused]] word bits[stays ? 1 : items];
    if constexpr (stays) {
      begin_copies<Whole>(s.key, outside_scratch(s.from.keys) + begin, warp, lane, valid);
      scratch_copies::close_group();
      if constexpr (is_staged) begin_copies<Whole>(s.value, outside_scratch(s.from.values) + begin, warp, lane, valid);
      scratch_copies::close_group();
      scratch_copies::wait_but_last();
      warp_lanes::sync();
    } else {
      Key const* const from = outside_scratch(s.from.keys) + begin;
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k) {
        int const at = first_item + k * warp_lanes::size;
        // Behind the last key: the largest one, which stays behind all keys.
        if (Whole || at < valid) bits[k] = key_order<Key>::raw(from[at]);
        else bits[k] = static_cast<word>(~flips);
      }
    }
    scratch_word counter[items];
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) {
      unsigned digit = mask;
      if constexpr (stays) {
        // Places behind the last key have the last digit, and so end behind all others.
        int const at = first_item + k * warp_lanes::size;
        if (Whole || at < valid) digit = digit_of(key_order<Key>::raw(s.key[at]));
      } else {
        digit = digit_of(bits[k]);
      }
      counter[k] = scratch_word::of(s.count[warp]) + digit;
      counter[k].increment();
    }
    m.team_barrier();

    // One thread per digit: what the warps have, and where the digit begins.
    std::uint32_t total = 0, digit_begin = 0;
    if (thread < radix) {
      UPSWEEP_UNROLL
      for (int w = 0; w < warps; ++w) {
        std::uint32_t const own = s.count[w][thread];
        s.count[w][thread] = total;
        total += own;
      }
      if (number == 0) rows.publish_prefix(number, thread, total);
      else rows.publish_aggregate(number, thread, total);
      digit_begin = internal::scan_warp<warp_lanes>(plus<std::uint32_t>{}, total, s.warp_sum, warp, lane) - total;
    }
    m.team_barrier();
    if (thread < radix) {
      // With fold_warps() this kernel spilled 4 bytes more per thread (double and int64, nvcc 13).
      std::uint32_t const sums =
          warp_sums::scan(plus<std::uint32_t>{}, lane < digit_warps ? s.warp_sum[lane] : 0u, lane);
      if (warp > 0) digit_begin += warp_sums::before(sums, warp);
      UPSWEEP_UNROLL
      for (int w = 0; w < warps; ++w) s.count[w][thread] += digit_begin;
    }
    m.team_barrier();

    // Bits that are compared. Bit 7 comes from a variable, so that nvcc 13 does not test eight constant bits at once:
    // it has seven predicates.
    std::uint32_t bit[digit_plan::largest_bits];
    UPSWEEP_UNROLL
    for (int b = 0; b < digit_plan::largest_bits; ++b) {
      if constexpr (stays)
        bit[b] = (b == 7 ? mask & 1u << b : 1u << b) * static_cast<std::uint32_t>(sizeof(std::uint32_t));
      else bit[b] = (mask & 1u << b) << (in_place ? shift : 0);
    }
    std::uint32_t place[items];
    std::uint32_t const below = warp_lanes::lanes_below(), above = warp_lanes::lanes_above();
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) {
      std::uint32_t compared;
      if constexpr (stays) compared = counter[k].address;
      else compared = digit_bits(bits[k]);
      std::uint32_t const same = warp_lanes::match_bits(compared, bit);
      place[k] = counter[k].load() + static_cast<std::uint32_t>(warp_lanes::popcount(same & below));
      warp_lanes::sync();
      if ((same & above) == 0) counter[k].store(place[k] + 1);
      warp_lanes::sync();
    }
    m.team_barrier();

    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) {
      auto const source = static_cast<std::uint16_t>(first_item + k * warp_lanes::size);
      if constexpr (stays) s.source[place[k]] = source;
      else s.sorted.key[place[k]] = bits[k];
      if constexpr (has_values && !stays && !is_staged) s.sorted.value[place[k]] = source;
    }
    [[maybe_unused]] value_place<staged> value[is_staged && !stays ? items : 1];
    if constexpr (is_staged && !stays) {
      Value const* const from = outside_scratch(s.from.values) + begin;
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k) {
        int const at = first_item + k * warp_lanes::size;
        if (Whole || at < valid) value[k].value = from[at];
      }
    }
    if (thread < radix) {
      std::size_t const start = buffers.start(pass, portion)[thread];
      std::uint32_t before = 0;
      if (number != 0) {
        before = rows.template exclusive_prefix<Shape::window>(number, thread);
        rows.publish_prefix(number, thread, before + total);
      }
      auto const shift_of_digit =
          static_cast<std::ptrdiff_t>(start + before) - static_cast<std::ptrdiff_t>(digit_begin);
      s.keys[thread] = s.to.keys + shift_of_digit;
      if constexpr (has_values) s.values[thread] = s.to.values + shift_of_digit;
      if (number + 1 == static_cast<std::uint32_t>(m.league_size()))
        buffers.start(pass, portion + 1)[thread] = start + before + total;
    }
    if constexpr (stays) {
      scratch_copies::wait();
    } else if constexpr (is_staged) {
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k) s.sorted.value[place[k]] = value[k].value;
    }
    m.team_barrier();

    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) {
      int const at = k * team_size + thread;
      if (!Whole && at >= valid) continue;
      if constexpr (stays) {
        unsigned const source = s.source[at];
        Key const key = s.key[source];
        unsigned const digit = digit_of(key_order<Key>::raw(key));
        Value* const to_value = outside_scratch(s.values[digit]) + at;
        if constexpr (is_staged) *to_value = s.value[source];
        else *to_value = outside_scratch(s.from.values)[begin + source];
        outside_scratch(s.keys[digit])[at] = key;
      } else {
        word const key = s.sorted.key[at];
        unsigned const digit = digit_of(key);
        outside_scratch(s.keys[digit])[at] = key_order<Key>::key_of(key);
        if constexpr (has_values) {
          Value* const to_value = outside_scratch(s.values[digit]) + at;
          if constexpr (is_staged) *to_value = s.sorted.value[at];
          else *to_value = outside_scratch(s.from.values)[begin + s.sorted.value[at]];
        }
      }
    }
  }

  KOKKOS_FUNCTION void copy_tile(member const& m, std::size_t begin, sort_arrays<Key, Value> const& from,
                                 sort_arrays<Key, Value> const& to) const {
    std::size_t const end = begin + tile < n ? begin + tile : n;
    for (std::size_t i = begin + static_cast<std::size_t>(m.team_rank()); i < end; i += team_size) {
      to.keys[i] = from.keys[i];
      if constexpr (has_values) to.values[i] = from.values[i];
    }
  }
};

}  // namespace upsweep::pack::detail
