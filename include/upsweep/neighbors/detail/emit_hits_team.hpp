// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/count_hits_team.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// A warp a group: turns the bits that count_hits_team kept into rows. Two particles at a time, one a half of the warp: each
/// lane has a word, a scan of the numbers of bits says where its hits go, and the piece of a row is put together in scratch, to
/// be written out side by side. (Lanes that test their bit of each word in turn need a shuffle and a count a word, and write four
/// indices at a time.)
template <class Real, bool Imaged>
struct emit_hits_team {
  mask_pass<Real> pass;
  row_slots rows;

  static constexpr int warps = 4;
  static constexpr int resident_teams = 8;
  static constexpr int half = warp_size / 2;
  static constexpr int chunk = half * warp_size;  ///< candidates whose bits are turned together

  struct scratch {
    std::size_t next[warp_size];  ///< where the rows go on
    int index[chunk + warp_size];
    int piece[2][chunk];
    image shift[Imaged ? chunk + warp_size : 1];
    image piece_shift[2][Imaged ? chunk : 1];
  };
  static constexpr std::size_t scratch_bytes = warps * sizeof(scratch) + 16;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const rank = member.team_rank(), lane = rank % warp_size;
    auto* const all = static_cast<scratch*>(member.team_scratch(0).get_shmem_aligned(warps * sizeof(scratch), 16));
    std::int64_t const group = pass.first_group + static_cast<std::int64_t>(member.league_rank()) * warps + rank / warp_size;
    if (pass.has(group)) emit_group(group, lane, all[rank / warp_size]);
  }

 private:
  KOKKOS_FUNCTION void emit_group(std::int64_t group, int lane, scratch& s) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group], cell = pass.cell_of(first), end = pass.end_of_group(first, cell);
    std::uint32_t const below = (1u << lane) - 1;
    int const i = first + lane < end ? p.order[first + lane] : p.rows;
    std::uint32_t const which = warp::which(i < p.rows);
    int const particles = warp::count(which);
    if (particles == 0) return;
    if (i < p.rows) s.next[warp::count(which & below)] = rows.offsets[i];

    warp_runs<Real> const runs(p, cell, lane);
    std::uint64_t candidates, blocks;
    runs.measure(candidates, blocks);
    std::uint32_t const* kept = pass.masks.of(group);
    std::uint32_t const* words = kept + blocks;

    int fill = 0;
    runs.for_each([&](candidate_run const& run) {
      for (int from = run.begin; from < run.end; from += warp_size) {
        std::uint32_t const wanted = *kept++;
        if (wanted >> lane & 1) {
          int const at = fill + warp::count(wanted & below), k = from + lane;
          s.index[at] = p.order[k] - p.first_candidate;
          if constexpr (Imaged) s.shift[at] = p.image_of(run, k);
        }
        fill += warp::count(wanted);
        if (fill >= chunk) {
          expand(half, words, particles, lane, s);
          words += half * particles;
          fill -= chunk;
          if (lane < fill) {
            s.index[lane] = s.index[chunk + lane];
            if constexpr (Imaged) s.shift[lane] = s.shift[chunk + lane];
          }
        }
      }
    });
    if (fill > 0) expand((fill + warp_size - 1) / warp_size, words, particles, lane, s);
  }

  /// Appends to each row the candidates in scratch whose bits are set.
  KOKKOS_FUNCTION void expand(int n, std::uint32_t const* words, int particles, int lane, scratch& s) const {
    warp::sync();
    int const side = lane / half, column = lane % half;
    for (int pair = 0; pair < particles; pair += 2) {
      int const row = pair + side;
      std::uint32_t word = row < particles && column < n ? words[column * particles + row] : 0;
      int at = warp::count(word);
      int const own = at;
      UPSWEEP_UNROLL
      for (int distance = 1; distance < half; distance *= 2) {
        int const left = warp::from_below(at, distance);
        if (column >= distance) at += left;
      }
      int const total = warp::from(at, side * half + half - 1);
      at -= own;
      for (; word != 0; word &= word - 1, ++at) {
        int const k = column * warp_size + warp::lowest(word);
        s.piece[side][at] = s.index[k];
        if constexpr (Imaged) s.piece_shift[side][at] = s.shift[k];
      }
      warp::sync();
      if (row < particles) {
        std::size_t const next = s.next[row];
        for (int k = column; k < total; k += half) {
          rows.neighbors[next + static_cast<std::size_t>(k)] = s.piece[side][k];
          if constexpr (Imaged) rows.images[next + static_cast<std::size_t>(k)] = s.piece_shift[side][k];
        }
      }
      warp::sync();
      if (row < particles && column == 0) s.next[row] += static_cast<std::size_t>(total);
    }
    warp::sync();
  }
};

}  // namespace upsweep::detail
