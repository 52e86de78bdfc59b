// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/pack/detail/moving/scratch_word.hpp>
#include <upsweep/pack/detail/sort/digit_look_back.hpp>
#include <upsweep/pack/detail/sort/key_order.hpp>
#include <upsweep/pack/detail/sort/sort_digit_counts.hpp>
#include <upsweep/pack/detail/sort/sort_route.hpp>
#include <upsweep/pack/detail/sort/sort_tuning.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

// One pass of a least-significant-digit radix sort that reads and writes each key once (Adinets and Merrill, Onesweep).
//
// Work to threads: one team per tile; a warp has a run of its keys, a thread every 32nd key of that run, so that the
// order in memory is (warp, item, lane). Steps of a tile:
//   count    each warp counts its digits, by atomic sums in scratch; what all warps have is published at once
//   rank     the place of each key in the tile: where its digit begins, plus equal digits of warps before, of items
//            before, of lanes before. The lanes that have a digit are found by ballots; the highest of them takes
//            places for all.
//   gather   keys, or where they come from, go to their places in scratch; meanwhile one thread per digit finds the
//            tiles before (digit_look_back.hpp)
//   store    neighbouring threads store neighbouring places: runs of a digit are written together
// Where a tile lies meanwhile is tile_place, a part of the shape:
//   in_registers  until its elements go to their places; values of up to 8 bytes are read then
//   in_scratch    as in memory, copied there asynchronously from the beginning on. What goes to the places is where an
//                 element comes from. So values arrive while keys are counted and ranked, and no thread holds a key or
//                 a value in registers.
//   by_sectors    as in_scratch, but a digit begins at the place in a sector of 8 elements at which its output begins;
//                 places between two digits stay empty. So no two warps store parts of one sector. Where outputs begin
//                 has to be known before the gathering, so the look-back comes first.
// Values of more than 8 bytes are read where they are stored.
// H200, 2026-11-23, 2^26 pairs of 64-bit words, us (CUB 3.6.0: 6330):
//   in_scratch                                                          6293
//   keys in registers, values copied from the beginning on              6299
//   keys in registers, values asked for after the ranking               6818; prefetched to the L2 cache before 6503
//   keys and then values through the same scratch, 3 teams             11711
//   keys and values by the copy engine of the multiprocessor            7060
//   in_scratch, with a tile prefetched that is 132 or 264 tiles behind  7026, 7971
// H100, 2026-11-28, 2^26 uint32 with uint32 values, one pass, us, and sectors of 32 bytes stored, in millions (without
// look-back 16.8; CUB 3.6.0: 532, 22.4):
//   in_registers, 512 threads of 16 keys, two teams                      614, 28.9: some are spilled registers
//   in_scratch, 384 threads of 23 keys, two teams                        567, 24.4
//   by_sectors, the same                                                 552, 21.4
//   by_sectors, but the look-back in front of the ranking                618, 23.2
// By sectors, 512 threads of 18 keys are faster by 2 %. Where the look-back comes as late, fewer sectors that are
// stored to the L2 cache take less time. So it is with keys of 64 bits, of whose sectors a quarter were spilled
// registers (27.7 million; 20.4 from scratch).
// Keys of 32 bits alone are bound by instructions and by waiting for scratch, not by memory: of 83 instructions per
// warp and key, 40 rank, and DRAM is busy for 28 % (H200).
// Scratch: the tile, and a few words per digit. Elements that come from registers lie where the counters were.
// Shared state: rows of digit_look_back, and the ticket that gives a team its tile.
// Progress: see digit_look_back.hpp.

/// Place for a value whose type may have no default constructor.
template <class Value>
union value_place {
  Value value;
  KOKKOS_FORCEINLINE_FUNCTION value_place() {}
};

template <class Key, class Value, class Shape, class Lanes = internal::warp_lanes>
struct sort_pass_kernel {
  static_assert(Lanes::size == 32);
  using counter_word = typename scratch_access<Lanes>::word;
  using copies = typename scratch_access<Lanes>::copies;
  using word = key_word<Key>;
  static constexpr int radix = digit_plan::largest_radix;
  static constexpr int team_size = Shape::threads, items = Shape::items, tile = Shape::tile;
  static constexpr int warps = team_size / Lanes::size;
  static constexpr int digit_warps = radix / Lanes::size;  ///< whose threads have a digit each
  using warp_sums = internal::warp_sums<Lanes, digit_warps>;
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;
  /// Whether values go through scratch.
  static constexpr bool is_staged = has_values && sizeof(Value) <= 8;
  /// What goes to an element's place for its value: itself, or the place in the tile that it comes from.
  using placed = std::conditional_t<is_staged, Value, std::uint16_t>;
  /// Whether elements stay in scratch as they were read.
  static constexpr bool stays = Shape::held != tile_place::in_registers;
  static constexpr bool by_sectors = Shape::held == tile_place::by_sectors;
  /// Elements of a sector, of four bytes each.
  static constexpr unsigned sector = 8;
  /// Places of a tile, and the source of an empty one.
  static constexpr int places = by_sectors ? tile + 2 * (static_cast<int>(sector) - 1) * radix : tile;
  static constexpr std::uint16_t nothing = 0xffff;
  static_assert(!by_sectors || tile < nothing);
  /// Of scratch, so that each warp's counters are aligned to their size, and an address says which digit it counts.
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
    placed value[has_values ? tile : 1];
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
      std::uint16_t source[places];  // the place that an element comes from
    };
    alignas(16) Key key[tile];
    alignas(16) std::conditional_t<is_staged, Value, char> value[is_staged ? tile : 1];
  };
  struct shared : std::conditional_t<stays, sorted_sources, sorted_elements> {
    std::ptrdiff_t offset[radix];                       // from the place of an element with this digit to its output
    std::uint32_t digit_begin[by_sectors ? radix : 1];  // its first place
    std::uint32_t used_places;
    std::uint32_t warp_sum[digit_warps];
    std::uint32_t ticket;
    // Here, as registers for them would be spilled.
    sort_arrays<Key, Value> from, to;
  };

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(move, Member const& m) const {
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
  static constexpr bool has_all_bits = sizeof(word) <= 4;
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t digit_bits(word bits) const {
    return static_cast<std::uint32_t>(has_all_bits ? bits : bits >> shift);
  }

  /// Copies a warp's run of the tile that begins at `from`.
  template <bool Whole, class T>
  KOKKOS_FORCEINLINE_FUNCTION static void begin_copies(T* to, T const* from, int warp, int lane, int valid) {
    constexpr int run = Lanes::size * items;
    constexpr int bytes = run * static_cast<int>(sizeof(T));
    static_assert(bytes % copies::chunk == 0);
    if (Whole && copies::has_chunks && reinterpret_cast<std::uintptr_t>(from) % copies::chunk == 0) {
      constexpr int chunks = bytes / copies::chunk;
      auto* const to_bytes = reinterpret_cast<char*>(to + warp * run);
      auto const* const from_bytes = reinterpret_cast<char const*>(from + warp * run);
      UPSWEEP_UNROLL
      for (int c = 0; c < chunks; c += Lanes::size)
        if (c + lane < chunks)
          copies::begin_chunk(to_bytes + (c + lane) * copies::chunk, from_bytes + (c + lane) * copies::chunk);
    } else {
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k) {
        int const at = warp * run + k * Lanes::size + lane;
        if (Whole || at < valid) copies::begin(&to[at], from + at);
      }
    }
  }

  template <bool Whole, class Member>
  KOKKOS_FORCEINLINE_FUNCTION void move_tile(Member const& m, shared& s, std::uint32_t number,
                                             digit_look_back const& rows) const {
    int const thread = m.team_rank(), warp = thread / Lanes::size, lane = thread % Lanes::size;
    std::size_t const begin = (first_tile + number) * tile;
    int const valid = Whole ? tile : static_cast<int>(n - begin);
    int const first_item = warp * (Lanes::size * items) + lane;

    [[maybe_unused]] word bits[stays ? 1 : items];
    if constexpr (stays) {
      begin_copies<Whole>(s.key, outside_scratch(s.from.keys) + begin, warp, lane, valid);
      copies::close_group();
      if constexpr (is_staged) begin_copies<Whole>(s.value, outside_scratch(s.from.values) + begin, warp, lane, valid);
      copies::close_group();
      copies::wait_but_last();
      Lanes::sync();
    } else {
      Key const* const from = outside_scratch(s.from.keys) + begin;
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k) {
        int const at = first_item + k * Lanes::size;
        // Behind the last key: the largest one, which stays behind all keys.
        if (Whole || at < valid) bits[k] = key_order<Key>::raw(from[at]);
        else bits[k] = static_cast<word>(~flips);
      }
    }
    counter_word counter[items];
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) {
      unsigned digit = mask;
      if constexpr (stays) {
        // Places behind the last key have the last digit, and so end behind all others.
        int const at = first_item + k * Lanes::size;
        if (Whole || at < valid) digit = digit_of(key_order<Key>::raw(s.key[at]));
      } else {
        digit = digit_of(bits[k]);
      }
      counter[k] = counter_word::of(s.count[warp]) + digit;
      counter[k].increment();
    }
    m.team_barrier();

    // One thread per digit: what the warps have.
    std::uint32_t total = 0;
    [[maybe_unused]] std::uint32_t digit_begin = 0;
    if (thread < radix) {
      UPSWEEP_UNROLL
      for (int w = 0; w < warps; ++w) {
        std::uint32_t const own = s.count[w][thread];
        s.count[w][thread] = total;
        total += own;
      }
      if (number == 0) rows.publish_prefix(number, thread, total);
      else rows.publish_aggregate(number, thread, total);
      if constexpr (!by_sectors) digit_begin = begin_scan(s, total, warp, lane);
    }
    m.team_barrier();
    if constexpr (!by_sectors) {
      if (thread < radix) {
        digit_begin += warps_before(s, warp, lane);
        UPSWEEP_UNROLL
        for (int w = 0; w < warps; ++w) s.count[w][thread] += digit_begin;
      }
      m.team_barrier();
    }

    // Bits that are compared. Bit 7 comes from a variable, so that nvcc 13 does not test eight constant bits at once:
    // it has seven predicates.
    std::uint32_t bit[digit_plan::largest_bits];
    UPSWEEP_UNROLL
    for (int b = 0; b < digit_plan::largest_bits; ++b) {
      if constexpr (stays)
        bit[b] = (b == 7 ? mask & 1u << b : 1u << b) * static_cast<std::uint32_t>(sizeof(std::uint32_t));
      else bit[b] = (mask & 1u << b) << (has_all_bits ? shift : 0);
    }
    std::uint32_t place[items];
    std::uint32_t const below = Lanes::lanes_below(), above = Lanes::lanes_above();
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) {
      std::uint32_t compared;
      if constexpr (stays) compared = counter[k].address;
      else compared = digit_bits(bits[k]);
      std::uint32_t const same = Lanes::match_bits(compared, bit);
      place[k] = counter[k].load() + static_cast<std::uint32_t>(Lanes::popcount(same & below));
      Lanes::sync();
      if ((same & above) == 0) counter[k].store(place[k] + 1);
      Lanes::sync();
    }
    m.team_barrier();

    if constexpr (by_sectors) {
      // Digits in whole sectors, empty places in front and behind.
      std::size_t first = 0;
      std::uint32_t front = 0, taken = 0, sector_begin = 0;
      if (thread < radix) {
        first = find_first(number, thread, total, static_cast<std::uint32_t>(m.league_size()), rows);
        front = static_cast<std::uint32_t>(first) % sector;
        taken = total == 0 ? 0 : (front + total + (sector - 1)) / sector * sector;
        sector_begin = begin_scan(s, taken, warp, lane);
      }
      m.team_barrier();
      if (thread < radix) {
        sector_begin += warps_before(s, warp, lane);
        digit_begin = sector_begin + front;
        s.digit_begin[thread] = digit_begin;
        s.offset[thread] = static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(digit_begin);
        if (thread == radix - 1) s.used_places = sector_begin + taken;
        if (taken != 0)
          for (std::uint32_t k = sector_begin; k < digit_begin; ++k) s.source[k] = nothing;
        for (std::uint32_t k = digit_begin + total; k < sector_begin + taken; ++k) s.source[k] = nothing;
      }
      m.team_barrier();
    }

    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) {
      auto const source = static_cast<std::uint16_t>(first_item + k * Lanes::size);
      if constexpr (by_sectors) s.source[place[k] + s.digit_begin[counter[k].index_in(radix)]] = source;
      else if constexpr (stays) s.source[place[k]] = source;
      else s.sorted.key[place[k]] = bits[k];
      if constexpr (has_values && !stays && !is_staged) s.sorted.value[place[k]] = source;
    }
    [[maybe_unused]] value_place<placed> value[is_staged && !stays ? items : 1];
    if constexpr (is_staged && !stays) {
      Value const* const from = outside_scratch(s.from.values) + begin;
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k) {
        int const at = first_item + k * Lanes::size;
        if (Whole || at < valid) value[k].value = from[at];
      }
    }
    if constexpr (!by_sectors) {
      if (thread < radix) {
        std::size_t const first = find_first(number, thread, total, static_cast<std::uint32_t>(m.league_size()), rows);
        s.offset[thread] = static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(digit_begin);
      }
    }
    if constexpr (stays) {
      copies::wait();
    } else if constexpr (is_staged) {
      UPSWEEP_UNROLL
      for (int k = 0; k < items; ++k) s.sorted.value[place[k]] = value[k].value;
    }
    m.team_barrier();
    if constexpr (by_sectors) store_places<Whole>(s, begin, thread, valid);
    else store_tile<Whole>(s, begin, thread, valid);
  }

  /// The exclusive sum of `count` within the warp. Behind a barrier, warps_before() has the sum of the warps before. Of
  /// the threads that have a digit, all call both.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t begin_scan(shared& s, std::uint32_t count, int warp, int lane) {
    return internal::scan_warp<Lanes>(plus<std::uint32_t>{}, count, s.warp_sum, warp, lane) - count;
  }
  // With fold_warps() this kernel spilled 4 bytes more per thread (double and int64, nvcc 13).
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t warps_before(shared& s, int warp, int lane) {
    std::uint32_t const sums = warp_sums::scan(plus<std::uint32_t>{}, lane < digit_warps ? s.warp_sum[lane] : 0u, lane);
    return warp > 0 ? warp_sums::before(sums, warp) : 0;
  }

  /// Where the output of the tile's first element with this digit is. Publishes the sum; the last tile stores where the
  /// next portion begins.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t find_first(std::uint32_t number, int digit, std::uint32_t total,
                                                     std::uint32_t tiles, digit_look_back const& rows) const {
    std::size_t const start = buffers.start(pass, portion)[digit];
    std::uint32_t before = 0;
    if (number != 0) {
      before = rows.template exclusive_prefix<Shape::window>(number, digit);
      rows.publish_prefix(number, digit, before + total);
    }
    if (number + 1 == tiles) buffers.start(pass, portion + 1)[digit] = start + before + total;
    return start + before;
  }

  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void store_tile(shared const& s, std::size_t begin, int thread, int valid) const {
    Key* const to_keys = outside_scratch(s.to.keys);
    [[maybe_unused]] Value* const to_values = outside_scratch(s.to.values);
    UPSWEEP_UNROLL
    for (int k = 0; k < items; ++k) {
      int const at = k * team_size + thread;
      if (!Whole && at >= valid) continue;
      if constexpr (stays) {
        store_source(s, begin, s.source[at], s.key[s.source[at]], at, to_keys, to_values);
      } else {
        word const key = s.sorted.key[at];
        std::ptrdiff_t const to = s.offset[digit_of(key)] + at;
        to_keys[to] = key_order<Key>::key_of(key);
        if constexpr (is_staged) to_values[to] = s.sorted.value[at];
        else if constexpr (has_values) to_values[to] = outside_scratch(s.from.values)[begin + s.sorted.value[at]];
      }
    }
  }

  /// The same where some places are empty. Four places of a thread are read together.
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void store_places(shared const& s, std::size_t begin, int thread, int valid) const {
    constexpr int together = 4;
    Key* const to_keys = outside_scratch(s.to.keys);
    Value* const to_values = outside_scratch(s.to.values);
    int const used = static_cast<int>(s.used_places);
    for (int first = thread; first < used; first += together * team_size) {
      std::uint16_t source[together];
      Key key[together];
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) {
        int const at = first + k * team_size;
        source[k] = at < used ? s.source[at] : nothing;
      }
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) key[k] = s.key[source[k] == nothing ? 0 : source[k]];
      UPSWEEP_UNROLL
      for (int k = 0; k < together; ++k) {
        if (source[k] == nothing || (!Whole && source[k] >= valid)) continue;
        store_source(s, begin, source[k], key[k], first + k * team_size, to_keys, to_values);
      }
    }
  }

  /// Stores the element that is at `source` of the tile and has the place `at`.
  KOKKOS_FORCEINLINE_FUNCTION void store_source(shared const& s, std::size_t begin, unsigned source, Key const& key,
                                                int at, Key* to_keys, [[maybe_unused]] Value* to_values) const {
    std::ptrdiff_t const to = s.offset[digit_of(key_order<Key>::raw(key))] + at;
    if constexpr (is_staged) to_values[to] = s.value[source];
    else if constexpr (has_values) to_values[to] = outside_scratch(s.from.values)[begin + source];
    to_keys[to] = key;
  }

  template <class Member>
  KOKKOS_FUNCTION void copy_tile(Member const& m, std::size_t begin, sort_arrays<Key, Value> const& from,
                                 sort_arrays<Key, Value> const& to) const {
    std::size_t const end = begin + tile < n ? begin + tile : n;
    for (std::size_t i = begin + static_cast<std::size_t>(m.team_rank()); i < end; i += team_size) {
      to.keys[i] = from.keys[i];
      if constexpr (has_values) to.values[i] = from.values[i];
    }
  }
};

}  // namespace upsweep::pack::detail
