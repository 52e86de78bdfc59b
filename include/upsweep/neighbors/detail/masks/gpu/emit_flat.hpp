// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/scratch_copies.hpp>
#include <upsweep/neighbors/detail/masks/gpu/count_flat.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// One warp per group, or several, each for a share of its words (mask_pass::warps_per_group): turns the bits that
/// count_flat_gpu kept into rows. Each lane has a row, and notes the candidates whose bits are set, one after the
/// other, in scratch, behind those of the rows before. Then lanes write what is noted side by side, whichever rows it
/// is of.
///
/// H200, 1 M particles with 78 neighbours, doubles, emission alone, us, with 1,024 notes of 20 words, 1,536 of 18 and
/// 2,048 of 18: 377, 363, 382; with images 765, 666, 640. An H100 took 474 and 874 with 1,024 where words were loaded
/// one by one, and scratch had the image of each candidate and not that of its run (2026-11-28).
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
  static constexpr int window = Values ? 6 : 18;      ///< words whose candidates are in scratch together
  static constexpr int notes = Values ? 1024 : 1536;  ///< at least those of a word
  static constexpr int counted = 4;                   ///< words that are loaded together
  static constexpr int unrolled = 4;                  ///< rounds that are written together
  static constexpr int number_bits = 11;              ///< of a note; the others are the row

  struct scratch {
    std::size_t base[Lanes::size];  ///< where a row's pairs are, less the number of its first note
    int index[window * Lanes::size];
    std::uint16_t noted[notes];
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
  static constexpr std::size_t scratch_bytes = warps * sizeof(scratch_type) + 16;
  static_assert(window * Lanes::size <= 1 << number_bits && Lanes::size * Lanes::size <= notes);

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const rank = member.team_rank(), lane = rank % Lanes::size;
    auto* const all =
        static_cast<scratch_type*>(member.team_scratch(0).get_shmem_aligned(warps * sizeof(scratch_type), 16));
    int const warp = rank / Lanes::size;
    std::int64_t const group =
        pass.first_group + (static_cast<std::int64_t>(member.league_rank()) * warps + warp) / pass.warps_per_group;
    if (rows.are_wanted(member.league_rank() == 0 && rank == 0) && pass.has(group))
      emit_share(group, warp % pass.warps_per_group, lane, all[warp]);
  }

 private:
  /// The rows of a group, as a lane knows them.
  struct group_rows {
    int count;
    bool is_mine;                ///< whether the lane has one
    std::size_t next;            ///< where that goes on
    std::uint32_t const* words;  ///< its next word
  };

  KOKKOS_FUNCTION void emit_share(std::int64_t group, int share, int lane, scratch_type& s) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group], end = pass.groups[group + 1];
    std::uint32_t const* const kept = pass.masks.of(group);
    int const i = first + lane < end ? p.order[first + lane] : p.rows;
    auto const which = Lanes::ballot(i < p.rows);
    group_rows r;
    r.count = Lanes::popcount(which);
    if (r.count == 0) return;
    r.is_mine = lane < r.count;
    int from = lane;  // the lane that knows the row's particle
    if ((which & (which + 1)) != 0 && r.is_mine) from = nth_set_bit<Lanes>(which, lane);
    int const row = Lanes::shuffle(i, from);
    r.next = r.is_mine ? rows.offsets[row] : 0;
    if constexpr (Values) {
      if (r.is_mine) {
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
    r.words = kept + begin * r.count + lane;
    // Other warps write the hits of the words before.
    for (int word = 0; word < begin; ++word)
      if (r.is_mine) r.next += static_cast<std::size_t>(Lanes::popcount(kept[word * r.count + lane]));
    if constexpr (Imaged) s.shift[lane] = runs.shift;
    flat_words<Lanes> walk(runs, begin);
    UPSWEEP_NO_UNROLL
    for (int word = begin; word < behind; word += window) {
      int const last = Kokkos::min(behind, word + window);
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
      write_window(last - word, lane, s, r);
    }
  }

  /// The pairs of the n words that scratch has candidates of: of as many words at a time as there is room for.
  KOKKOS_FORCEINLINE_FUNCTION void write_window(int n, int lane, scratch_type& s, group_rows& r) const {
    UPSWEEP_NO_UNROLL
    for (int from = 0, to = 0; from < n; from = to) {
      int own = 0, all = 0;
      std::uint32_t const* ahead = r.words;
      UPSWEEP_NO_UNROLL
      for (bool has_room = true; has_room && to < n; ahead += counted * r.count) {
        int hits[counted];
        UPSWEEP_UNROLL
        for (int u = 0; u < counted; ++u) hits[u] = r.is_mine && to + u < n ? Lanes::popcount(ahead[u * r.count]) : 0;
        int const last = Kokkos::min(n - to, int(counted));
        UPSWEEP_UNROLL
        for (int u = 0; u < counted; ++u) {
          int const more = static_cast<int>(Lanes::reduce_sum(static_cast<std::uint32_t>(hits[u])));
          has_room = has_room && all + more <= notes;
          if (!has_room || u >= last) continue;
          all += more;
          own += hits[u];
          ++to;
        }
      }
      int const first = internal::scan_lanes<Lanes>(plus<int>{}, own, lane) - own;
      s.base[lane] = r.next - static_cast<std::size_t>(first);
      r.next += static_cast<std::size_t>(own);
      note(from, to, lane, first, s, r);
      Lanes::sync();
      write(all, lane, s);
      Lanes::sync();
    }
  }

  /// The lane's hits of some words, as notes from number `at` on.
  KOKKOS_FORCEINLINE_FUNCTION void note(int from, int to, int lane, int at, scratch_type& s, group_rows& r) const {
    std::uint32_t next = r.is_mine ? *r.words : 0;
    UPSWEEP_NO_UNROLL
    for (int w = from; w < to; ++w) {
      std::uint32_t bits = next;
      r.words += r.count;
      next = r.is_mine && w + 1 < to ? *r.words : 0;
      int const row_and_word = lane << number_bits | w * Lanes::size;
      UPSWEEP_NO_UNROLL
      for (; bits != 0; bits &= bits - 1)
        s.noted[at++] = static_cast<std::uint16_t>(row_and_word + Lanes::lowest_set_bit(bits));
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void write(int n, int lane, scratch_type const& s) const {
    UPSWEEP_NO_UNROLL
    for (int k = lane; k < n; k += unrolled * Lanes::size) {
      UPSWEEP_UNROLL
      for (int u = 0; u < unrolled; ++u)
        if (k + u * Lanes::size < n) write_pair(k + u * Lanes::size, s);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void write_pair(int at, scratch_type const& s) const {
    auto const& p = pass.search.particles;
    unsigned const noted = s.noted[at], row = noted >> number_bits, number = noted & ((1u << number_bits) - 1);
    std::size_t const k = s.base[row] + static_cast<std::size_t>(at);
    rows.neighbors[k] = s.index[number] - p.first_candidate;
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
