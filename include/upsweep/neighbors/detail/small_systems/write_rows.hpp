// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/few_particles/few_particles_slots.hpp>
#include <upsweep/neighbors/detail/grid/scan_in_team.hpp>
#include <upsweep/neighbors/detail/small_systems/system_scratch.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// Where the rows of a system begin among themselves, by a team with a thread for each: leaves that in scratch, and
/// returns the longest row of the warp. Takes particles themselves out of their rows.
template <class Real, class Lanes, class Member>
KOKKOS_FUNCTION unsigned count_rows(Member const& m, system_scratch<Real, Lanes> const& s,
                                    team_system<Real, Lanes> const& own, int words) {
  int const i = m.team_rank();
  int hits = 0;
  if (i < own.count) {
    std::uint32_t* const row = s.hits + i * s.room.stride();
    int const self = s.self[i];
    row[self / Lanes::size] &= ~(std::uint32_t(1) << self % Lanes::size);
    for (int w = 0; w < words; ++w) hits += Lanes::popcount(row[w]);
  }
  int const before = sum_before<Lanes>(m, hits, s.common->sums);
  if (i < own.count) s.row_begin[i] = static_cast<std::uint32_t>(before);
  if (i == m.team_size() - 1) s.row_begin[own.count] = static_cast<std::uint32_t>(before + hits);
  return internal::fold_lanes<Lanes>(max<unsigned>{}, static_cast<unsigned>(hits), i % Lanes::size);
}

/// Writes the rows of a system, by a team with a thread for each. A lane notes some hits of its row, and then the lanes
/// of a warp write all that they have noted, half a warp the notes of a row, since they are side by side in the list.
///
/// H200, 1,024 systems of 128 particles with 77 neighbours: where eight lanes noted the hits of a row, each those of
/// some words, a quarter of the kernel's time went by in lanes that waited for those with many (2026-11-29).
template <class Real, class Lanes>
struct write_rows {
  using scratch = system_scratch<Real, Lanes>;
  using system = team_system<Real, Lanes>;

  scratch const& s;
  system const& own;
  int words;
  few_particles_slots<Real> const& to;
  std::size_t base;  ///< where the rows of the system begin

  static constexpr int each = scratch::notes_each, together = Lanes::size / each;
  static constexpr int unrolled = 4;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    int const row = m.team_rank(), lane = row % Lanes::size, warp = row / Lanes::size;
    std::uint16_t* const notes = s.notes[warp].candidate;
    bool const has_row = row < own.count;
    int at = has_row ? static_cast<int>(s.row_begin[row]) : 0;
    int const end = has_row ? static_cast<int>(s.row_begin[row + 1]) : 0;
    int const rows = Kokkos::min(own.count - warp * Lanes::size, int(Lanes::size));
    row_walk walk{s.hits + row * s.room.stride(), words};
    UPSWEEP_NO_UNROLL
    while (Lanes::ballot(at < end) != 0) {
      int const n = Kokkos::min(end - at, int(each));
      UPSWEEP_NO_UNROLL
      for (int k = 0; k < n; ++k) notes[k * scratch::note_stride + lane] = static_cast<std::uint16_t>(walk.next());
      Lanes::sync();
      UPSWEEP_NO_UNROLL
      for (int first = 0; first < rows; first += unrolled * together) {
        UPSWEEP_UNROLL
        for (int u = 0; u < unrolled; ++u) {
          int const of = first + u * together + lane / each, k = lane % each;
          int const from = Lanes::shuffle(at, of % Lanes::size), count = Lanes::shuffle(n, of % Lanes::size);
          if (k < count) write(base + static_cast<std::size_t>(from + k), notes[k * scratch::note_stride + of]);
        }
      }
      Lanes::sync();
      at += n;
    }
  }

 private:
  /// The hits of a row, one after the other.
  struct row_walk {
    std::uint32_t const* hits;
    int words;
    int group = -Lanes::size;          ///< the first of 32 words
    std::uint32_t full = 0, bits = 0;  ///< those of these words that have hits left, and the hits of the word at hand
    int first = 0;                     ///< the number of its first candidate

    /// Pre: there is one.
    KOKKOS_FORCEINLINE_FUNCTION int next() {
      if (bits == 0) {
        while (full == 0) find_full();
        int const w = group + Lanes::lowest_set_bit(full);
        full &= full - 1;
        bits = hits[w];
        first = w * Lanes::size;
      }
      int const found = first + Lanes::lowest_set_bit(bits);
      bits &= bits - 1;
      return found;
    }

   private:
    KOKKOS_FORCEINLINE_FUNCTION void find_full() {
      group += Lanes::size;
      int const n = Kokkos::min(words - group, int(Lanes::size));
      for (int w = 0; w < n; ++w) full |= hits[group + w] != 0 ? 1u << w : 0u;
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION void write(std::size_t at, int candidate) const {
    to.neighbors[at] = own.first + s.index[candidate];
    if (to.images != nullptr) to.images[at] = s.images[candidate].wide();
  }
};

}  // namespace upsweep::neighbors::detail
