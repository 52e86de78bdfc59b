// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/pack/detail/histogram/histogram_bins.hpp>
#include <upsweep/pack/detail/histogram/histogram_counters.hpp>
#include <upsweep/pack/detail/moving/scratch_word.hpp>
#include <upsweep/scan/internal/tile_prefixes.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

// How teams of a GPU count a histogram.
//
// Work to threads: there are as many teams as fit on the device at once, and they stay. A warp takes a stretch of the
// input: each lane begins several loads of it, counts what they have brought into the team's scratch, and goes on to
// the warp's next stretch. In the end the team adds its counts to the result.
// Scratch: a row of `columns` words per bin; a lane adds to its own column.
// With as many columns as banks, lanes never wait for each other,
// and all elements in one bin take as long as any others. The more bins, the fewer columns: then equal neighbours among
// what a thread holds are one addition, and where all lanes of a warp would add the same to the same bin, one of them
// does. With more bins than scratch has room for, such runs are added to the result at once.
// Shared state: the result, under relaxed atomic additions of integers: any order gives the same counts.
//
// Who makes the result zero:
//   one team        nobody: it stores its counts
//   with a region   the team that takes the first ticket, while the others count. It publishes that it has, and
//                   they wait for that before they add (decoupled_look_back.hpp, with one tile). The last warp of
//                   a team sees to this. Progress: a team that has started goes on, whatever others do. No other
//                   one is waited for.
//   else            a kernel before this one

template <class Source, class Counts, class Shape, class Lanes>
struct histogram_kernel {
  using count = typename Counts::value_type;
  using region = internal::decoupled_look_back<plus<std::uint32_t>, internal::one_lane, 0>;
  static constexpr int team_size = Shape::threads;
  static constexpr int at_once = Source::template at_once<Shape>;
  static_assert(team_size % Lanes::size == 0 && team_size >= 32);
  template <bool Runs>
  struct in_scratch {};
  struct in_result {};

  Source source;
  Counts counts;
  std::size_t bins;
  int columns;     ///< a power of two; 0 where there is no scratch
  region cleared;  ///< its control block is null where the result is zero already

  /// Members are Kokkos', or those of a test.
  template <bool Runs, class Member>
  KOKKOS_FUNCTION void operator()(in_scratch<Runs>, Member const& m) const {
    // In front a word for the epoch, so that it takes no register of those who count.
    auto* const epoch =
        static_cast<std::uint32_t*>(m.team_scratch(0).get_shmem_aligned(scratch_bytes(), scratch_alignment));
    auto* const words = epoch + words_in_front;
    int const rank = m.team_rank();
    std::uint64_t ticket = 0;
    if (keeps_region(rank)) {
      ticket = Kokkos::atomic_fetch_add(&cleared.control->ticket, std::uint64_t(1));
      *epoch = static_cast<std::uint32_t>(compat::load_word(&cleared.control->epoch));
    }
    int const all = static_cast<int>(bins) * columns;
    UPSWEEP_NO_UNROLL
    for (int w = rank; w < all; w += team_size) words[w] = 0;
    m.team_barrier();
    if (clears(rank)) clear_if_first(ticket, *epoch, rank % Lanes::size);
    scratch_sums const column(words + (rank & (columns - 1)));
    count_all<Runs>(m, in_columns{column, static_cast<std::uint32_t>(bins), static_cast<std::uint32_t>(columns)});
    if (keeps_region(rank)) await_cleared(*epoch);
    m.team_barrier();
    if (keeps_region(rank)) cleared.finish(static_cast<std::uint64_t>(m.league_size()), *epoch, 0);
    add_sums(m, words);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(in_result, Member const& m) const {
    count_all<true>(m, in_memory{counts, bins});
  }

  static constexpr std::size_t scratch_alignment = 128;
  static constexpr int words_in_front = 4;
  static constexpr std::size_t most_scratch_bytes = (Shape::words + words_in_front) * sizeof(std::uint32_t);
  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    return (bins * static_cast<std::size_t>(columns) + words_in_front) * sizeof(std::uint32_t);
  }

 private:
  /// Loads that a warp begins together; they lie side by side. Teams take turns, so that a short input is shared
  /// by all of them.
  struct stretch {
    static constexpr int size = at_once * Lanes::size;
    std::size_t number;
    int lane;

    template <class Member>
    KOKKOS_FORCEINLINE_FUNCTION explicit stretch(Member const& m)
        : number(static_cast<std::size_t>(m.team_rank() / Lanes::size) * static_cast<std::size_t>(m.league_size()) +
                 static_cast<std::size_t>(m.league_rank())),
          lane(m.team_rank() % Lanes::size) {}
    template <class Member>
    KOKKOS_FORCEINLINE_FUNCTION void advance(Member const& m) {
      number += static_cast<std::size_t>(m.league_size()) * (team_size / Lanes::size);
    }
    /// The same for all lanes, which leave loops together.
    KOKKOS_FORCEINLINE_FUNCTION bool exists(std::size_t loads) const { return number * size < loads; }
    /// The lane's first load; the others follow at distances of as many as there are lanes.
    KOKKOS_FORCEINLINE_FUNCTION std::size_t first() const { return number * size + static_cast<std::size_t>(lane); }
    /// Load k exists if k * Lanes::size is less than this.
    KOKKOS_FORCEINLINE_FUNCTION int left(std::size_t loads) const {
      return static_cast<int>(Kokkos::min(static_cast<std::int64_t>(loads - first()), static_cast<std::int64_t>(size)));
    }
  };

  struct batch {
    typename Source::loaded held[at_once] = {};
    KOKKOS_FORCEINLINE_FUNCTION void load(Source const& from, stretch const& at) {
      if (!at.exists(from.loads)) return;
      std::size_t const first = at.first();
      int const left = at.left(from.loads);
      UPSWEEP_UNROLL
      for (int k = 0; k < at_once; ++k)
        if (k * Lanes::size < left) held[k] = from.load(first + static_cast<std::size_t>(k * Lanes::size));
    }
  };

  struct in_columns {
    using index = std::uint32_t;
    scratch_sums column;
    index bins, columns;
    KOKKOS_FORCEINLINE_FUNCTION void add(index b, std::uint32_t n) const {
      if (b < bins) column.add(b * columns, n);
    }
  };
  struct in_memory {
    using index = std::size_t;
    Counts counts;
    index bins;
    KOKKOS_FORCEINLINE_FUNCTION void add(index b, std::uint32_t n) const {
      if (b < bins) Kokkos::atomic_add(outside_scratch(counts.at(b)), static_cast<count>(n));
    }
  };

  template <bool Runs, class Member, class To>
  KOKKOS_FORCEINLINE_FUNCTION void count_all(Member const& m, To const& to) const {
    for (stretch at(m); at.exists(source.loads); at.advance(m)) {
      batch mine;
      mine.load(source, at);
      if constexpr (Runs) count_runs(mine, at, to);
      else count_each(mine, at.left(source.loads), to);
    }
    if constexpr (Source::has_edges) {
      auto const rank = static_cast<std::size_t>(m.team_rank());
      if (m.league_rank() == 0 && rank < source.edges) to.add(index_of_bin(source.edge(rank), to.bins), 1);
    }
  }

  template <class To>
  KOKKOS_FORCEINLINE_FUNCTION static void count_each(batch const& mine, int left, To const& to) {
    UPSWEEP_UNROLL
    for (int k = 0; k < at_once; ++k) {
      if (k * Lanes::size < left) {
        UPSWEEP_UNROLL
        for (int e = 0; e < Source::per_load; ++e) to.add(index_of_bin(Source::take(mine.held[k], e), to.bins), 1);
      }
    }
  }

  template <class To>
  KOKKOS_FORCEINLINE_FUNCTION void count_runs(batch const& mine, stretch const& at, To const& to) const {
    using index = typename To::index;
    int const left = at.left(source.loads);
    index bin = to.bins;
    std::uint32_t length = 0;
    UPSWEEP_UNROLL
    for (int k = 0; k < at_once; ++k) {
      if (k * Lanes::size < left) {
        UPSWEEP_UNROLL
        for (int e = 0; e < Source::per_load; ++e) {
          index const next = index_of_bin(Source::take(mine.held[k], e), to.bins);
          if (next != bin) {
            to.add(bin, length);
            bin = next;
            length = 0;
          }
          ++length;
        }
      }
    }
    bool const same_bin = bin == Lanes::shuffle(bin, 0), same_length = length == Lanes::shuffle(length, 0);
    bool const same = Lanes::all(same_bin && same_length);
    if (same) length *= Lanes::size;
    if (!same || at.lane == 0) to.add(bin, length);
  }

  /// The last warp, which has the fewest bins to add up, and its first lane.
  KOKKOS_FORCEINLINE_FUNCTION bool clears(int rank) const {
    return Shape::one_launch && cleared.control != nullptr && rank >= team_size - Lanes::size;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool keeps_region(int rank) const {
    return Shape::one_launch && cleared.control != nullptr && rank == team_size - Lanes::size;
  }

  KOKKOS_FORCEINLINE_FUNCTION void clear_if_first(std::uint64_t ticket, std::uint32_t epoch, int lane) const {
    if (Lanes::ballot(lane == 0 && ticket == 0) == 0) return;
    UPSWEEP_NO_UNROLL
    for (auto b = static_cast<std::size_t>(lane); b < bins; b += Lanes::size) *counts.at(b) = count(0);
    Kokkos::memory_fence();
    Lanes::sync();
    if (lane != 0) return;
    Kokkos::memory_fence();  // what the other lanes have cleared, too
    cleared.publish(0, epoch, 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION void await_cleared(std::uint32_t epoch) const {
    while (!cleared.has_published(0, epoch)) compat::pause();
    Kokkos::memory_fence();
  }

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void add_sums(Member const& m, std::uint32_t const* words) const {
    for (int b = m.team_rank(); b < static_cast<int>(bins); b += team_size) {
      // Lanes begin in different banks.
      int const first = b * columns / 32;
      std::uint32_t sum = 0;
      UPSWEEP_UNROLL_4
      for (int c = 0; c < columns; ++c) sum += words[b * columns + ((first + c) & (columns - 1))];
      count* const to = counts.at(static_cast<std::size_t>(b));
      if (m.league_size() == 1) *to = static_cast<count>(sum);
      else if (sum != 0) Kokkos::atomic_add(outside_scratch(to), static_cast<count>(sum));
    }
  }
};

}  // namespace upsweep::pack::detail
