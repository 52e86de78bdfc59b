// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// How the teams of one launch pass on what their rows add up to. A team reads the sums of the teams before it in its
/// block of 32, those of the blocks before in its 32 blocks, and those of all 32 blocks before: one step for the last,
/// while a look-back from prefix to prefix has many when all teams end at once. (Where each team read the sums of all
/// teams before, a thousand that waited kept others from publishing: 4000 rows took 70 to 170 us on an H100 that had
/// room for all teams, and take 32.)
///
/// Shared state: a word for each number, with a bit that says it is there, and a word for each block and for 32 blocks,
/// which count their teams from bits 57 and 52 on; number and bits travel in one access, and no order between words is
/// needed, so all accesses are relaxed.
/// Progress: teams are numbered as they start. A team waits for lower numbers alone, which have started, and publish
/// before they wait.
struct row_sums {
  std::uint64_t* words;  ///< all 0 before the launch
  int teams;

  static constexpr std::uint64_t published = std::uint64_t(1) << 63;
  static constexpr int block = 32, wide_block = block * block;
  static constexpr int block_bit = 57, wide_block_bit = 52;
  KOKKOS_FUNCTION static constexpr std::size_t words_of(int teams) {
    auto const n = static_cast<std::size_t>(teams);
    return 1 + 2 * n + n / block + n / wide_block;
  }

  /// For a later launch, by all threads of this one.
  KOKKOS_FUNCTION void clear(int thread, int threads) const {
    for (int k = thread; k < static_cast<int>(words_of(teams)); k += threads) words[k] = 0;
  }

  /// Called by one thread of each team.
  KOKKOS_FUNCTION int take_number() const {
    return static_cast<int>(Kokkos::atomic_fetch_add(words, std::uint64_t(1)));
  }
  KOKKOS_FUNCTION void publish(int team, std::uint64_t sum, std::uint64_t largest) const {
    compat::store_word(sum_of(team), published | sum);
    compat::store_word(largest_of(team), published | largest);
    // The last block may not be full: no team comes behind it.
    if (team < teams / block * block)
      Kokkos::atomic_add(sum_of_block(team / block), (std::uint64_t(1) << block_bit) + sum);
    if (team < teams / wide_block * wide_block)
      Kokkos::atomic_add(sum_of_wide_block(team / wide_block), (std::uint64_t(1) << wide_block_bit) + sum);
  }

  /// Where a team's numbers are.
  KOKKOS_FUNCTION std::uint64_t* sum_of(int team) const { return words + 1 + team; }
  KOKKOS_FUNCTION std::uint64_t* largest_of(int team) const { return words + 1 + teams + team; }
  KOKKOS_FUNCTION std::uint64_t* sum_of_block(int k) const { return words + 1 + 2 * teams + k; }
  KOKKOS_FUNCTION std::uint64_t* sum_of_wide_block(int k) const { return sum_of_block(teams / block) + k; }

  /// What the teams before a team add up to, in parts: the sum over all threads of the team. Waits for them.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t part_before(int team, int thread, int threads) const {
    int const near = team % block, blocks = team / block % block, all = near + blocks + team / wide_block;
    std::uint64_t sum = 0;
    for (int k = thread; k < all; k += threads) {
      int const b = k - near, w = b - blocks;
      sum += b < 0   ? wait(sum_of(team + b), 1, 63)
             : w < 0 ? wait(sum_of_block(team / block + w), block, block_bit)
                     : wait(sum_of_wide_block(w), wide_block, wide_block_bit);
    }
    return sum;
  }

  /// visit(number) for each of the first `count` words that a thread of a team has a part of, in any order, once it is
  /// published. A thread has at most `Each`, all of them under way together.
  template <int Each, class Visitor>
  KOKKOS_FORCEINLINE_FUNCTION static void wait_for(std::uint64_t const* first, int count, int thread, int threads,
                                                   Visitor const& visit) {
    static_assert(Each <= 32);
    unsigned missing = 0;  // a bit for each
    UPSWEEP_UNROLL
    for (int k = 0; k < Each; ++k) missing |= thread + k * threads < count ? 1u << k : 0u;
    while (missing != 0) {
      std::uint64_t word[Each];
      UPSWEEP_UNROLL
      for (int k = 0; k < Each; ++k)
        word[k] = compat::load_word_if((missing >> k & 1) != 0, first + thread + k * threads);
      UPSWEEP_UNROLL
      for (int k = 0; k < Each; ++k) {
        if ((word[k] & published) == 0) continue;
        missing &= ~(1u << k);
        visit(word[k] & ~published);
      }
    }
  }

 private:
  /// A word without the bits from `bit` on, once these count `wanted`.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t wait(std::uint64_t const* at, int wanted, int bit) {
    std::uint64_t word;
    do word = compat::load_word(at);
    while (word >> bit != static_cast<std::uint64_t>(wanted));
    return word & ((std::uint64_t(1) << bit) - 1);
  }
};

}  // namespace upsweep::neighbors::detail
