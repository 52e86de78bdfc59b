// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/pack/detail/moving/scratch_word.hpp>
#include <upsweep/pack/detail/sort/digit_look_back.hpp>
#include <upsweep/pack/detail/sort/key_order.hpp>
#include <upsweep/team/internal/warp_sums.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// What the kernels of a sort share on the device.
struct sort_buffers {
  static constexpr int radix = digit_plan::largest_radix;

  std::uint32_t* counts;  ///< [team that counts][pass][digit]
  /// [pass][portion][digit]: where the keys of a portion begin; one portion more than there are
  std::uint64_t* starts;
  std::uint32_t* differs;  ///< a bit for each pass: whether keys differ in its digit
  std::uint32_t* tickets;  ///< [pass][portion]
  std::uint32_t* rows;     ///< [tile][digit], of digit_look_back
  std::size_t tiles;
  int passes;
  int portions;
  int digit_count_teams;

  KOKKOS_FUNCTION std::uint64_t* start(int pass, int portion) const {
    return starts + (pass * (portions + 1) + portion) * radix;
  }
  KOKKOS_FUNCTION std::uint32_t* ticket(int pass, int portion) const { return tickets + pass * portions + portion; }

  /// A bit for each pass that moves keys. In place, where the number of passes is even, so is the number of moves: one
  /// pass more copies its keys if need be, so that they end where they were. Out of place the first pass copies its
  /// keys where none sorts.
  KOKKOS_FUNCTION std::uint32_t moves(bool is_in_place) const {
    std::uint32_t const sorting = *differs;
    if (!is_in_place) return sorting != 0 ? sorting : 1u;
    if (passes % 2 != 0 || count(sorting) % 2 == 0) return sorting;
    std::uint32_t const others = ((1u << passes) - 1) & ~sorting;
    return sorting | (others & (0u - others));
  }
  KOKKOS_FUNCTION static int count(std::uint32_t bits) { return Kokkos::Experimental::popcount_builtin(bits); }
  KOKKOS_FUNCTION static int count_below(std::uint32_t bits, int pass) { return count(bits & ((1u << pass) - 1)); }
};

// The kernels in front of the passes.
//
//   count    teams count the digits of all passes in one read of the keys, each team its own, and make
//            tickets and rows ready
//   plan     a team a pass: sums the teams' counts, scans them, and finds whether keys differ at all
//
// Work to threads: chunks of keys go to teams in turn. Scratch: a table for each pass, with `columns` words per digit,
// of which a lane has its own or shares it with few others, since lanes whose words lie in one bank wait for each
// other.

template <class Key, int Threads, int Columns, class Lanes = internal::warp_lanes>
struct digit_counts_kernel {
  using word = typename scratch_access<Lanes>::word;
  static constexpr int radix = digit_plan::largest_radix;
  static constexpr int most_passes = static_cast<int>(sizeof(Key));
  static constexpr int unrolled = 16 / static_cast<int>(sizeof(Key)) < 4 ? 4 : 16 / static_cast<int>(sizeof(Key));
  static constexpr int chunk = Threads * unrolled;
  static constexpr int team_size = Threads;
  static constexpr std::size_t alignment = 16;
  struct count_digits {};

  Key const* keys;
  std::size_t n;
  key_order<Key> order;
  digit_plan digits;
  sort_buffers buffers;

  struct shared {
    std::uint32_t count[most_passes][radix][Columns];
  };

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(count_digits, Member const& m) const {
    auto& s = *static_cast<shared*>(m.team_scratch(0).get_shmem_aligned(sizeof(shared), alignment));
    int const thread = m.team_rank();
    auto const team = static_cast<std::size_t>(m.league_rank()), teams = static_cast<std::size_t>(m.league_size());
    for (int k = thread; k < digits.passes * radix * Columns; k += Threads) (&s.count[0][0][0])[k] = 0;
    make_ready(team * Threads + static_cast<std::size_t>(thread), teams * Threads);
    m.team_barrier();
    std::size_t begin = team * chunk;
    for (; begin + chunk <= n; begin += teams * chunk) {
      Key key[unrolled];
      UPSWEEP_UNROLL
      for (int k = 0; k < unrolled; ++k) key[k] = keys[begin + static_cast<std::size_t>(k * Threads + thread)];
      UPSWEEP_UNROLL
      for (int k = 0; k < unrolled; ++k) count(s, key[k], thread);
    }
    for (std::size_t i = begin + static_cast<std::size_t>(thread); i < n; i += Threads) count(s, keys[i], thread);
    m.team_barrier();
    for (int k = thread; k < digits.passes * radix; k += Threads) {
      std::uint32_t sum = 0;
      UPSWEEP_UNROLL
      for (int c = 0; c < Columns; ++c) sum += (&s.count[0][0][0])[k * Columns + (c + thread) % Columns];
      buffers.counts[team * static_cast<std::size_t>(digits.passes * radix) + static_cast<std::size_t>(k)] = sum;
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void count(shared& s, Key const& key, int thread) const {
    auto const bits = order(key);
    UPSWEEP_UNROLL
    for (int pass = 0; pass < most_passes; ++pass)
      if (pass < digits.passes)
        word::of(
            &s.count[pass][static_cast<unsigned>(bits >> digits.shift(pass)) & digits.mask(pass)][thread % Columns])
            .increment();
  }
  KOKKOS_FUNCTION void make_ready(std::size_t thread, std::size_t threads) const {
    for (std::size_t k = thread; k < buffers.tiles * radix; k += threads) buffers.rows[k] = digit_look_back::unused;
    for (std::size_t k = thread; k < static_cast<std::size_t>(buffers.passes * buffers.portions); k += threads)
      buffers.tickets[k] = 0;
    if (thread == 0) *buffers.differs = 0;
  }
};

template <class Lanes = internal::warp_lanes>
struct sort_plan_kernel {
  static constexpr int radix = digit_plan::largest_radix;
  static constexpr int groups = 4;
  static constexpr int team_size = groups * radix;
  static constexpr std::size_t alignment = 16;
  struct plan {};

  std::size_t n;
  sort_buffers buffers;

  struct shared {
    std::uint64_t sum[groups][radix];
    std::uint64_t warp_sum[radix / Lanes::size];
  };

  template <class Member>
  KOKKOS_FUNCTION void operator()(plan, Member const& m) const {
    auto& s = *static_cast<shared*>(m.team_scratch(0).get_shmem_aligned(sizeof(shared), alignment));
    int const pass = m.league_rank(), digit = m.team_rank() % radix, group = m.team_rank() / radix;
    std::uint64_t sum = 0;
    std::uint32_t const* const counts = buffers.counts + static_cast<std::size_t>(pass * radix + digit);
    for (int team = group; team < buffers.digit_count_teams; team += groups)
      sum += counts[static_cast<std::size_t>(team) * static_cast<std::size_t>(buffers.passes * radix)];
    s.sum[group][digit] = sum;
    m.team_barrier();
    int const lane = digit % Lanes::size, warp = digit / Lanes::size;
    std::uint64_t inclusive = 0;
    if (group == 0) {
      for (int g = 1; g < groups; ++g) sum += s.sum[g][digit];
      if (sum != 0 && sum != n) Kokkos::atomic_or(buffers.differs, 1u << pass);
      inclusive = internal::scan_warp<Lanes>(plus<std::uint64_t>{}, sum, s.warp_sum, warp, lane);
    }
    m.team_barrier();
    if (group != 0) return;
    buffers.start(pass, 0)[digit] = internal::fold_warps(plus<std::uint64_t>{}, inclusive, s.warp_sum, warp) - sum;
  }
};

}  // namespace upsweep::pack::detail
