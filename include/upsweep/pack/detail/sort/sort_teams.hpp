// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/sort/key_order.hpp>
#include <upsweep/pack/detail/sort/sort_route.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/internal/temporary_bytes.hpp>
#include <upsweep/team/reduce.hpp>
#include <upsweep/team/shuffle.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep::pack::detail {

// Stable radix sort by teams, least significant digit first, for any backend (Satish, Harris and Garland 2009).
//
//   clear     empties the words of bits that differ
//   differ    finds the bits in which keys differ
//   count     team t counts the digits of tile t into counts[digit][t]; the library's scan makes
//             addresses of the counts
//   scatter   team t sorts tile t by the digit, a bit at a time, and stores it: runs of a digit are written together
//   finish    copies to the result what has ended up elsewhere
//
// What differs stays on the device, so that the host waits for nothing: where all keys share a digit, its kernels see
// that there and return, and the arrays change places one time less.
// Work to threads: one team per tile. What is sorted in scratch are words of 32 bits, digit and place in the tile, so
// that one kernel does for all keys and values; those are then gathered from the tile, which lies in the caches.
// A thread has Items consecutive words: an odd number, so that a warp's accesses fall on all banks. Two barriers of the
// scan and one more per bit keep reads and writes of the words apart.
// Scratch: 4 bytes per element, 8 per thread and 4 per digit (18 KiB for 256 threads of 15).
// Shared state: the bits that differ, by atomic or of integers, which has one result in any order; else launches
// only. No progress assumed. CUDA devices have another sort (sort_single_pass.hpp); the speed of this one on GPUs
// is not measured.

/// What the scatter kernel and its host agree on.
template <int TeamSize, int Items>
struct sort_tile {
  static constexpr int team_size = TeamSize;
  static constexpr int items = Items;
  static constexpr int size = TeamSize * Items;
  static_assert(size <= 65536, "A place in a tile has 16 bits.");

  static constexpr std::size_t scratch_bytes() {
    return sizeof(std::uint32_t) * size + sizeof(std::uint64_t) * TeamSize +
           sizeof(std::uint32_t) * digit_plan::largest_radix + 3 * 16;
  }
};

template <class ExecutionSpace, class Key, class Value, int TeamSize, int Items>
struct team_sort_kernel {
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  struct clear {};
  struct find_differing_bits {};
  struct count {};
  struct scatter {};
  struct finish {};

  sort_route<Key, Value> route;
  std::size_t n;
  std::size_t tiles;
  key_order<Key> order;
  digit_plan digits;
  int pass;
  std::uint64_t* seen;    // bits that are 1 in a key, bits that are 0 in a key
  std::uint64_t* counts;  // [digit][tile]

  KOKKOS_FUNCTION void operator()(clear, member const& m) const {
    if (m.team_rank() == 0) seen[0] = seen[1] = 0;
  }

  KOKKOS_FUNCTION void operator()(find_differing_bits, member const& m) const {
    std::uint64_t ones = 0, zeros = 0;
    std::size_t const begin = begin_of(m);
    int const valid = valid_in(begin);
    for (int at = m.team_rank(); at < valid; at += m.team_size()) {
      std::uint64_t const bits = order(route.source.keys[begin + at]);
      ones |= bits;
      zeros |= ~bits;
    }
    auto* const scratch = take<std::uint64_t>(m, TeamSize);
    bit_or<std::uint64_t> const either{};
    ones = team::tree_reduction::reduce(m, ones, either, scratch);
    zeros = team::tree_reduction::reduce(m, zeros, either, scratch);
    if (m.team_rank() != 0) return;
    report(seen, ones);
    report(seen + 1, zeros);
  }

  KOKKOS_FUNCTION void operator()(count, member const& m) const {
    if (!differs(pass)) return;
    int const radix = static_cast<int>(digits.mask(pass)) + 1;
    auto* const table = take<std::uint32_t>(m, digit_plan::largest_radix);
    for (int d = m.team_rank(); d < radix; d += m.team_size()) table[d] = 0;
    m.team_barrier();
    auto const digit = digit_of_pass();
    Key const* const keys = source().keys;
    std::size_t const begin = begin_of(m);
    int const valid = valid_in(begin);
    for (int at = m.team_rank(); at < valid; at += m.team_size()) Kokkos::atomic_inc(&table[digit(keys[begin + at])]);
    m.team_barrier();
    for (int d = m.team_rank(); d < radix; d += m.team_size()) counts[count_at(d, m)] = table[d];
  }

  KOKKOS_FUNCTION void operator()(scatter, member const& m) const {
    if (!differs(pass)) return;
    auto* const words = take<std::uint32_t>(m, TeamSize * Items);
    auto* const scan = take<int>(m, TeamSize);
    auto* const starts = take<std::uint32_t>(m, digit_plan::largest_radix);
    auto const digit = digit_of_pass();
    auto const from = source(), to = target();
    std::size_t const begin = begin_of(m);
    int const valid = valid_in(begin), rank = m.team_rank();

    // Places behind the last element have the largest digit, and so end behind all others.
    for (int at = rank; at < TeamSize * Items; at += TeamSize)
      words[at] =
          (at < valid ? digit(from.keys[begin + at]) : digits.mask(pass)) << 16 | static_cast<std::uint32_t>(at);
    m.team_barrier();

    std::uint32_t mine[Items];
    for (int bit = 16; bit < 16 + digits.width(pass); ++bit) {
      int zeros = 0;
      UPSWEEP_UNROLL
      for (int k = 0; k < Items; ++k) {
        mine[k] = words[rank * Items + k];
        zeros += 1 - static_cast<int>(mine[k] >> bit & 1u);
      }
      int all = 0;
      int zero_at = team::shuffle::exclusive_scan(m, zeros, plus<int>{}, scan, all);
      int one_at = all + rank * Items - zero_at;
      UPSWEEP_UNROLL
      for (int k = 0; k < Items; ++k) words[(mine[k] >> bit & 1u) != 0 ? one_at++ : zero_at++] = mine[k];
      m.team_barrier();
    }

    for (int at = rank; at < valid; at += TeamSize)
      if (at == 0 || words[at] >> 16 != words[at - 1] >> 16) starts[words[at] >> 16] = static_cast<std::uint32_t>(at);
    m.team_barrier();
    for (int at = rank; at < valid; at += TeamSize) {
      auto const d = static_cast<int>(words[at] >> 16);
      std::size_t const source_at = begin + (words[at] & 0xffffu);
      std::size_t const target_at = counts[count_at(d, m)] + static_cast<std::size_t>(at) - starts[d];
      to.keys[target_at] = from.keys[source_at];
      if constexpr (has_values) to.values[target_at] = from.values[source_at];
    }
  }

  KOKKOS_FUNCTION void operator()(finish, member const& m) const {
    int const moves = moves_before(digits.passes);
    std::size_t const begin = begin_of(m);
    int const valid = valid_in(begin);
    for (int at = m.team_rank(); at < valid; at += m.team_size())
      route.finish(begin + static_cast<std::size_t>(at), moves);
  }

 private:
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;

  template <class T>
  KOKKOS_FUNCTION static T* take(member const& m, int count) {
    return static_cast<T*>(m.team_scratch(0).get_shmem_aligned(sizeof(T) * static_cast<std::size_t>(count), 16));
  }
  // Most of the time nothing is new: then memory is only read.
  KOKKOS_FUNCTION static void report(std::uint64_t* word, std::uint64_t bits) {
    if ((bits & ~compat::load_word(word)) != 0) Kokkos::atomic_or(word, bits);
  }
  KOKKOS_FUNCTION bool differs(int p) const { return ((seen[0] & seen[1]) >> digits.shift(p) & digits.mask(p)) != 0; }
  KOKKOS_FUNCTION int moves_before(int end) const {
    int moves = 0;
    for (int p = 0; p < end; ++p) moves += differs(p) ? 1 : 0;
    return moves;
  }
  KOKKOS_FUNCTION sort_arrays<Key, Value> source() const {
    return route.from(moves_before(pass), moves_before(digits.passes));
  }
  KOKKOS_FUNCTION sort_arrays<Key, Value> target() const {
    return route.to(moves_before(pass), moves_before(digits.passes));
  }
  KOKKOS_FUNCTION key_digit<Key> digit_of_pass() const { return {order, digits.shift(pass), digits.mask(pass)}; }
  KOKKOS_FUNCTION std::size_t begin_of(member const& m) const {
    return static_cast<std::size_t>(m.league_rank()) * (TeamSize * Items);
  }
  KOKKOS_FUNCTION int valid_in(std::size_t begin) const {
    return n - begin < static_cast<std::size_t>(TeamSize * Items) ? static_cast<int>(n - begin) : TeamSize * Items;
  }
  KOKKOS_FUNCTION std::size_t count_at(int digit, member const& m) const {
    return static_cast<std::size_t>(digit) * tiles + static_cast<std::size_t>(m.league_rank());
  }
};

template <class ExecutionSpace, class Key, class Value, int TeamSize = compat::is_gpu<ExecutionSpace> ? 256 : 1,
          int Items = compat::is_gpu<ExecutionSpace> ? 15 : 3840>
struct team_sort {
  using tile = sort_tile<TeamSize, Items>;
  using kernel = team_sort_kernel<ExecutionSpace, Key, Value, TeamSize, Items>;
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;

  /// Sorts in place. Pre: n > 1.
  static void run(ExecutionSpace const& space, sort_arrays<Key, Value> const& data, std::size_t n, key_order<Key> order,
                  digit_plan const& digits, workspace& memory, char const* function, std::string_view caller) {
    run_route(space, {data, data}, n, order, digits, memory, function, caller);
  }

  /// Pre: n > 1.
  static void run_route(ExecutionSpace const& space, sort_route<Key, Value> route, std::size_t n, key_order<Key> order,
                        digit_plan const& digits, workspace& memory, char const* function, std::string_view caller) {
    std::size_t const tiles = internal::divide_up<std::size_t>(n, tile::size);
    internal::byte_layout layout;
    own_memory const own(n, function, layout);
    other_arrays<Key, Value> const other(layout, route, n);
    std::byte* const base = internal::access::reserve(memory, space, layout.bytes());
    other.place(base, route);
    kernel k{route,
             n,
             tiles,
             order,
             digits,
             0,
             reinterpret_cast<std::uint64_t*>(base + own.seen_at),
             reinterpret_cast<std::uint64_t*>(base + own.counts_at)};

    launch<typename kernel::clear>(space, k, 1, "clear", function, caller);
    launch<typename kernel::find_differing_bits>(space, k, tiles, "find_differing_bits", function, caller);
    using words = Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
    for (k.pass = 0; k.pass < digits.passes; ++k.pass) {
      launch<typename kernel::count>(space, k, tiles, "count", function, caller);
      words const table(k.counts, tiles * (std::size_t(digits.mask(k.pass)) + 1));
      exclusive_scan(space, table, table, plus<>{},
                     {.workspace = &memory, .label = internal::inner_label(caller, function)});
      launch<typename kernel::scatter>(space, k, tiles, "scatter", function, caller);
    }
    launch<typename kernel::finish>(space, k, tiles, "finish", function, caller);
  }

  /// Bytes at the beginning of the workspace that run_route takes where the route has its other arrays.
  static std::size_t own_bytes(ExecutionSpace const&, std::size_t n, digit_plan const&, char const* function) {
    internal::byte_layout layout;
    own_memory const own(n, function, layout);
    return layout.bytes();
  }

 private:
  struct own_memory {
    own_memory(std::size_t n, char const* function, internal::byte_layout& layout) {
      std::size_t const tiles = internal::divide_up<std::size_t>(n, tile::size);
      std::size_t const entries = internal::checked_multiply(tiles, digit_plan::largest_radix, function, "counts");
      // The scan of the counts takes what it needs from the beginning of the same workspace.
      layout.add<std::byte>(internal::scan_temporary_bytes<std::uint64_t, ExecutionSpace>(entries));
      seen_at = layout.add<std::uint64_t>(2);
      counts_at = layout.add<std::uint64_t>(entries);
    }
    std::size_t seen_at, counts_at;
  };

  template <class Phase>
  static void launch(ExecutionSpace const& space, kernel const& k, std::size_t teams, std::string_view phase,
                     char const* function, std::string_view caller) {
    using policy = Kokkos::TeamPolicy<ExecutionSpace, Phase, Kokkos::LaunchBounds<TeamSize>>;
    Kokkos::parallel_for(internal::label(function, phase, caller),
                         policy(space, internal::narrow<int>(teams, function, "tiles"), TeamSize)
                             .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(tile::scratch_bytes()))),
                         k);
  }
};

}  // namespace upsweep::pack::detail
