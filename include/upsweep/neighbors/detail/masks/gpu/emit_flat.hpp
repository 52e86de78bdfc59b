// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/scratch_copies.hpp>
#include <upsweep/neighbors/detail/masks/gpu/count_flat.hpp>
#include <upsweep/neighbors/detail/masks/gpu/expand_words.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// One warp per group, or several, each for a share of its words (mask_pass::warps_per_group): turns the bits that
/// count_flat_gpu kept into rows (expand_words.hpp).
///
/// Values: whether the list keeps more of a pair than its neighbour and image. Scratch then has the places and
/// coordinates of candidates, too, from which a lane computes what it writes. 1 M particles with 78 neighbours,
/// doubles, emission alone with distances / displacements / both, H200, 2026-11-28, ms:
///   coordinates from memory, windows of 20 words   1.32 / 1.75 / 2.31
///   in scratch, 3 teams, windows of 12 words       1.42 / 1.60 / 2.04
///               4 teams,            8 words        1.19 / 1.52 / 2.08
///               5 teams,            6 words        1.14 / 1.59 / 2.27
///               7 teams,            4 words        1.13 / 1.69 / 2.49
/// More words do not fit into the 48 KiB of Kokkos before 5.2. On an H100 coordinates from memory took 1.46 / 2.07;
/// with displacements put to scratch first, so that lanes store side by side, 1.44 to 1.60 / 2.12 to 2.24.
template <class Real, bool Imaged, bool Values, class Systems, class Lanes = warp_lanes>
struct emit_flat_gpu {
  mask_pass<Real, Systems> pass;
  slots_of<Real, Values> rows;

  static constexpr int warps = 4;
  static constexpr int resident_teams = Values ? 5 : 8;
  static constexpr int window = Values ? 6 : 18;  ///< words whose candidates are in scratch together

  using expansion = word_expansion<Lanes, window>;
  struct scratch : expansion::scratch {
    int index[window * Lanes::size];
    std::uint8_t run[Imaged ? window * Lanes::size : 1];  ///< of the candidate
    image shift[Imaged ? Lanes::size : 1];                ///< of the run
  };
  struct scratch_with_places : scratch {
    int place[window * Lanes::size];
    int own[Lanes::size];  ///< the places of the particles that have the rows
    Real own_x[3][Lanes::size];
    Real x[3][window * Lanes::size];  ///< coordinates of candidates
  };
  using scratch_type = std::conditional_t<Values, scratch_with_places, scratch>;
  static constexpr std::size_t scratch_bytes = sizeof(bits_of_bytes) + warps * sizeof(scratch_type) + 32;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const rank = member.team_rank(), lane = rank % Lanes::size;
    auto* const all =
        static_cast<scratch_type*>(member.team_scratch(0).get_shmem_aligned(warps * sizeof(scratch_type), 16));
    auto* const bits = static_cast<bits_of_bytes*>(member.team_scratch(0).get_shmem_aligned(sizeof(bits_of_bytes), 16));
    int const warp = rank / Lanes::size;
    std::int64_t const before = std::int64_t(member.league_rank()) * (warps / pass.warps_per_group);
    std::int64_t const group = pass.first_group + before + warp / pass.warps_per_group;
    // Some teams may have no group, where they are launched before the CPU knows how many there are.
    if (before > 0 && !pass.has(pass.first_group + before)) return;
    bits->fill(rank, warps * Lanes::size);
    member.team_barrier();
    if (rows.are_wanted(member.league_rank() == 0 && rank == 0) && pass.has(group))
      emit_share(group, warp % pass.warps_per_group, lane, *bits, all[warp]);
  }

 private:
  KOKKOS_FUNCTION void emit_share(std::int64_t group, int share, int lane, bits_of_bytes const& bits,
                                  scratch_type& s) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group], end = pass.groups[group + 1];
    std::uint32_t const* const kept = pass.masks.of(group);
    int const i = first + lane < end ? p.order[first + lane] : p.rows;
    auto const which = Lanes::ballot(i < p.rows);
    int const count = Lanes::popcount(which);
    if (count == 0) return;
    bool const is_mine = lane < count;  // whether the lane has a row
    int from = lane;                    // the lane that knows the row's particle
    if ((which & (which + 1)) != 0 && is_mine) from = nth_set_bit<Lanes>(which, lane);
    int const row = Lanes::shuffle(i, from);
    std::size_t next = is_mine ? rows.offsets[row] : 0;
    if constexpr (Values) {
      if (is_mine) {
        int const own = first + from;
        s.own[lane] = own;
        s.own_x[0][lane] = p.x[own];
        s.own_x[1][lane] = p.y[own];
        s.own_x[2][lane] = p.z[own];
      }
    }
    auto const runs = number_candidates<Real, Systems, Lanes>(p, pass.cells_of(first, end), lane);
    int const words = internal::divide_up(runs.all, Lanes::size);
    int const begin = words * share / pass.warps_per_group, behind = words * (share + 1) / pass.warps_per_group;
    // Other warps write the hits of the words before.
    for (int word = 0; word < begin; ++word)
      if (is_mine) next += static_cast<std::size_t>(Lanes::popcount(kept[word * count + lane]));
    if constexpr (Imaged) s.shift[lane] = runs.shift;
    flat_words<Lanes> walk(runs, begin);
    UPSWEEP_NO_UNROLL
    for (int word = begin; word < behind; word += window) {
      int const last = Kokkos::min(behind, word + window);
      expansion::load(s, kept + word * count, last - word, count, lane);
      UPSWEEP_NO_UNROLL
      for (int w = word; w < last; ++w) {
        int const number = w * Lanes::size + lane, at = (w - word) * Lanes::size + lane;
        int const of = walk.run_in_next(w, lane), place = number + Lanes::shuffle(runs.to_place, of);
        bool const is_there = number < runs.all;
        if (is_there) internal::scratch_copies::begin(s.index + at, p.order + place);
        if constexpr (Imaged) s.run[at] = static_cast<std::uint8_t>(of);
        if constexpr (Values) s.place[at] = place;
        if constexpr (Values) {
          if (is_there) {
            internal::scratch_copies::begin(&s.x[0][at], p.x + place);
            internal::scratch_copies::begin(&s.x[1][at], p.y + place);
            internal::scratch_copies::begin(&s.x[2][at], p.z + place);
          }
        }
      }
      internal::scratch_copies::wait();
      Lanes::sync();
      expansion::expand(
          s, bits, last - word, count, lane, next, rows.neighbors,
          [&](int number) { return s.index[number] - p.first_candidate; },
          [&](std::size_t slot, int of, int number) { store(slot, of, number, s); });
    }
  }

  /// What is kept of a pair beside its neighbour.
  KOKKOS_FORCEINLINE_FUNCTION void store([[maybe_unused]] std::size_t k, [[maybe_unused]] int row,
                                         [[maybe_unused]] int number, [[maybe_unused]] scratch_type const& s) const {
    [[maybe_unused]] auto const& p = pass.search.particles;
    if constexpr (Imaged)
      if (rows.images != nullptr) rows.images[k] = s.shift[s.run[number]];
    if constexpr (Values) {
      int const own = s.own[row];
      image const shift = s.shift[s.run[number]];
      store_pair(rows.values, k, p, own, s.place[number], shift, [&] {
        return measured_pair<Real>(p, own, s.x[0][number] - s.own_x[0][row], s.x[1][number] - s.own_x[1][row],
                                   s.x[2][number] - s.own_x[2][row], shift);
      });
    }
  }
};

}  // namespace upsweep::neighbors::detail
