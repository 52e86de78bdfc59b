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

/// Where the rows of a system begin among themselves, by a team: leaves that in scratch, and returns the longest row of
/// the warp. Takes particles themselves out of their rows.
template <class Real, class Lanes, class Member>
KOKKOS_FUNCTION unsigned count_rows(Member const& m, system_scratch<Real, Lanes> const& s,
                                    team_system<Real, Lanes> const& own, int words) {
  int const rank = m.team_rank(), size = m.team_size();
  part_of_thread const mine(own.count, rank, size);
  int sum = 0;
  unsigned largest = 0;
  for (int i = mine.begin; i < mine.end; ++i) {
    std::uint32_t* const row = s.hits + i * s.room.stride();
    int const self = s.self[i];
    row[self / Lanes::size] &= ~(std::uint32_t(1) << self % Lanes::size);
    int hits = 0;
    for (int w = 0; w < words; ++w) hits += Lanes::popcount(row[w]);
    s.row_begin[i] = static_cast<std::uint32_t>(hits);
    largest = Kokkos::max(largest, static_cast<unsigned>(hits));
    sum += hits;
  }
  int before = sum_before<Lanes>(m, sum, s.common->sums);
  for (int i = mine.begin; i < mine.end; ++i) {
    auto const hits = static_cast<int>(s.row_begin[i]);
    s.row_begin[i] = static_cast<std::uint32_t>(before);
    before += hits;
  }
  if (rank == size - 1) s.row_begin[own.count] = static_cast<std::uint32_t>(before);
  return internal::fold_lanes<Lanes>(max<unsigned>{}, largest, rank % Lanes::size);
}

/// Writes the rows of a system, by a team. A warp has four rows at a time, which are side by side in the list: eight
/// lanes note the hits of a row, each those of its part of the words, and then all lanes write what is noted.
template <class Real, class Lanes>
struct write_rows {
  using scratch = system_scratch<Real, Lanes>;
  using system = team_system<Real, Lanes>;

  scratch const& s;
  system const& own;
  int words;
  few_particles_slots<Real> const& to;
  std::size_t base;  ///< where the rows of the system begin

  static constexpr int rows = 4, parts = Lanes::size / rows;
  static constexpr int unrolled = 4;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    int const warps = m.team_size() / Lanes::size, warp = m.team_rank() / Lanes::size,
              lane = m.team_rank() % Lanes::size;
    std::uint16_t* const notes = s.notes[warp].candidate;
    UPSWEEP_NO_UNROLL
    for (int first = warp * rows; first < own.count; first += warps * rows) {
      int const row = Kokkos::min(first + lane / parts, own.count - 1), part = lane % parts;
      bool const has_row = first + lane / parts < own.count;
      int const begin = words * part / parts, end = has_row ? words * (part + 1) / parts : begin;
      std::uint32_t const* const hits = s.hits + row * s.room.stride();
      int const of_all = static_cast<int>(s.row_begin[first]),
                all = static_cast<int>(s.row_begin[Kokkos::min(first + rows, own.count)]) - of_all;
      int const at = static_cast<int>(s.row_begin[row]) - of_all + hits_before(hits, begin, end, part);
      UPSWEEP_NO_UNROLL
      for (int from = 0; from < all; from += scratch::most_notes) {
        note(hits, begin, end, at - from, notes);
        Lanes::sync();
        write(base + static_cast<std::size_t>(of_all + from), Kokkos::min(all - from, int(scratch::most_notes)), lane,
              notes);
        Lanes::sync();
      }
    }
  }

 private:
  /// Hits of the row in the parts before this one.
  KOKKOS_FORCEINLINE_FUNCTION static int hits_before(std::uint32_t const* hits, int begin, int end, int part) {
    int count = 0;
    for (int w = begin; w < end; ++w) count += Lanes::popcount(hits[w]);
    int through = count;
    UPSWEEP_UNROLL
    for (int distance = 1; distance < parts; distance *= 2) {
      int const left = Lanes::shuffle_up(through, distance);
      if (part >= distance) through += left;
    }
    return through - count;
  }

  /// The candidates of some words, from note `at` on: as many as there is room for.
  KOKKOS_FORCEINLINE_FUNCTION static void note(std::uint32_t const* hits, int begin, int end, int at,
                                               std::uint16_t* notes) {
    UPSWEEP_NO_UNROLL
    for (int w = begin; w < end; ++w) {
      UPSWEEP_NO_UNROLL
      for (std::uint32_t bits = hits[w]; bits != 0; bits &= bits - 1, ++at)
        if (static_cast<unsigned>(at) < static_cast<unsigned>(scratch::most_notes))
          notes[at] = static_cast<std::uint16_t>(w * Lanes::size + Lanes::lowest_set_bit(bits));
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void write(std::size_t first, int n, int lane, std::uint16_t const* notes) const {
    int* const neighbors = to.neighbors + first;
    image* const images = to.images == nullptr ? nullptr : to.images + first;
    UPSWEEP_NO_UNROLL
    for (int from = lane; from < n; from += unrolled * Lanes::size) {
      UPSWEEP_UNROLL
      for (int u = 0; u < unrolled; ++u) {
        int const k = from + u * Lanes::size;
        if (k >= n) continue;
        int const candidate = notes[k];
        neighbors[k] = own.first + s.index[candidate];
        if (images != nullptr) images[k] = s.images[candidate];
      }
    }
  }
};

}  // namespace upsweep::neighbors::detail
