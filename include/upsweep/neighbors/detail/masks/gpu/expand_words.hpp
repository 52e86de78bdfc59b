// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/intrinsics.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/gpu/scratch_copies.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/pairs/lane_runs.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// The places of the bits that are set in each byte, the lowest first. In the scratch of a team.
struct bits_of_bytes {
  static constexpr int bytes = 256;
  std::uint8_t place[8][bytes];

  /// By all threads of a team; a barrier follows.
  KOKKOS_FORCEINLINE_FUNCTION void fill(int rank, int team_size) {
    for (int byte = rank; byte < bytes; byte += team_size) {
      int n = 0;
      UPSWEEP_UNROLL
      for (int bit = 0; bit < 8; ++bit)
        if (byte >> bit & 1) place[n++][byte] = static_cast<std::uint8_t>(bit);
    }
  }

  /// The place of the bit that is set above n others of a word. Pre: there is one.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION int nth(std::uint32_t word, int n) const {
    int at = 0;
    UPSWEEP_UNROLL
    for (int half = 16; half >= 8; half /= 2) {
      int const below = Lanes::popcount(word & ((1u << half) - 1));
      if (n < below) continue;
      n -= below;
      at += half;
      word >>= half;
    }
    return at + place[n][word & 255u];
  }
};

/// Turns the words of hits of a group's rows into pairs, by one warp: lane k takes the k-th pair, of whatever row and
/// word it is, so lanes have equal work, and what lies side by side is written side by side. A batch has a word for
/// each lane, row by row. A scan of their hits says where the pairs of each begin; words without a hit are left out.
/// For 32 pairs each, the bits of those beginnings say which word a pair is of.
///
/// Scratch: MostWords words for each row, and 16 bytes for each word of a batch. Only lanes of the warp share it.
///
/// H200, 2026-11-29, 1 M doubles with 20, 78, 250 and 800 neighbours, emission alone, us: 228, 354, 824, 2318. Where
/// lanes noted hits in scratch first, one after the other of their row, or side by side of a word: 205, 367, 942, 2783.
/// With 32 pairs at a time, and a branch around the last ones, 227, 380, 916, 2566.
template <class Lanes, int MostWords>
struct word_expansion {
  static constexpr int pitch = Lanes::size + 1;  ///< words of neighbours, and of rows, are in different banks
  static constexpr int together = 2;             ///< times 32 pairs, so that loads of scratch overlap
  static_assert(MostWords <= 32 && Lanes::size <= 32);

  /// A word that has hits.
  struct alignas(16) entry {
    std::uint32_t hits;
    std::uint32_t where;  ///< the number of its first candidate, its row, and the pairs of the batch before it
    int* out;             ///< where its first pair belongs, less those before it

    static constexpr int row_at = 10, before_at = 16;
    KOKKOS_FORCEINLINE_FUNCTION int number() const { return static_cast<int>(where & ((1u << row_at) - 1)); }
    KOKKOS_FORCEINLINE_FUNCTION int row() const { return static_cast<int>(where >> row_at & 63u); }
    KOKKOS_FORCEINLINE_FUNCTION int before() const { return static_cast<int>(where >> before_at); }
  };
  struct scratch {
    entry entries[Lanes::size];
    int pairs[Lanes::size];  ///< of each row
    std::uint32_t hits[MostWords * pitch];
  };

  /// Begins to copy n words for each of `rows` rows from memory, where words of one number lie side by side.
  /// scratch_copies::wait() and a sync() follow.
  KOKKOS_FORCEINLINE_FUNCTION static void load(scratch& s, std::uint32_t const* words, int n, int rows, int lane) {
    if (lane >= rows) return;
    words += lane;
    std::uint32_t* to = s.hits + lane;
    UPSWEEP_NO_UNROLL
    for (; n > 0; --n, words += rows, to += pitch) internal::scratch_copies::begin(to, words);
  }

  /// Writes name(candidate) for each pair of n words per row; the candidates of word w are numbered from
  /// w * Lanes::size. next: the slot among `neighbors` of the first pair of the lane's row; then the one behind its
  /// last pair here. store(slot, row, candidate): what else belongs to a pair; it may be called several times for one.
  template <class Name, class Store>
  KOKKOS_FORCEINLINE_FUNCTION static void expand(scratch& s, bits_of_bytes const& bits, int n, int rows, int lane,
                                                 std::size_t& next, int* neighbors, Name const& name,
                                                 Store const& store) {
    auto const through = static_cast<typename Lanes::mask>(~typename Lanes::mask(0) >> (Lanes::size - 1 - lane));
    int row = lane / n, w = lane - row * n;
    int const rows_on = Lanes::size / n, words_on = Lanes::size - rows_on * n;
    int carried = 0;  // pairs that the first row of a batch has in the batches before
    UPSWEEP_NO_UNROLL
    for (int left = n * rows; left > 0; left -= Lanes::size) {
      bool const is_there = lane < left;
      std::uint32_t const hits = is_there ? s.hits[w * pitch + row] : 0;
      int const own = Lanes::popcount(hits);
      int const behind = internal::scan_lanes<Lanes>(plus<int>{}, own, lane), before = behind - own;
      int const all = Lanes::shuffle(behind, Lanes::size - 1);
      // Pairs of the row before the word.
      int in_row = before - Lanes::shuffle(before, w < lane ? lane - w : 0);
      if (w > lane) in_row += carried;
      std::size_t const first = Lanes::shuffle(next, is_there ? row : 0);
      if (is_there && w == n - 1) s.pairs[row] = in_row + own;
      auto const having = Lanes::ballot(own != 0);
      if (own != 0)
        s.entries[Lanes::popcount_below(having, lane)] = {hits,
                                                          static_cast<std::uint32_t>(w * Lanes::size) |
                                                              static_cast<std::uint32_t>(row) << entry::row_at |
                                                              static_cast<std::uint32_t>(before) << entry::before_at,
                                                          neighbors + first + (in_row - before)};
      carried = Lanes::shuffle(in_row + own, Lanes::size - 1);
      Lanes::sync();
      write(s, bits, own != 0, before, all, through, lane, neighbors, name, store);
      Lanes::sync();
      row += rows_on;
      w += words_on;
      if (w >= n) w -= n, ++row;
    }
    if (lane < rows) next += static_cast<std::size_t>(s.pairs[lane]);
    Lanes::sync();
  }

 private:
  /// The pairs of a batch. begins: whether pairs of the lane's word begin, behind `before` others. Lanes that have none
  /// left write the last pair again, so that none branches.
  template <class Name, class Store>
  KOKKOS_FORCEINLINE_FUNCTION static void write(scratch const& s, bits_of_bytes const& bits, bool begins, int before,
                                                int all, typename Lanes::mask through, int lane, int const* neighbors,
                                                Name const& name, Store const& store) {
    int entries_before = -1;
    UPSWEEP_NO_UNROLL
    for (int from = 0; from < all; from += together * Lanes::size) {
      entry e[together];
      UPSWEEP_UNROLL
      for (int u = 0; u < together; ++u) {
        int const at = before - from - u * Lanes::size;
        auto const beginning = join_bits<Lanes>(begins && at >= 0 && at < Lanes::size, at);
        e[u] = s.entries[entries_before + Lanes::popcount(beginning & through)];
        entries_before += Lanes::popcount(beginning);
      }
      UPSWEEP_UNROLL
      for (int u = 0; u < together; ++u) {
        int const pair = Kokkos::min(from + u * Lanes::size + lane, all - 1);
        int const number = e[u].number() + bits.template nth<Lanes>(e[u].hits, pair - e[u].before());
        int* const to = e[u].out + pair;
        internal::assume_global(to);
        *to = name(number);
        store(static_cast<std::size_t>(to - neighbors), e[u].row(), number);
      }
    }
  }
};

}  // namespace upsweep::neighbors::detail
