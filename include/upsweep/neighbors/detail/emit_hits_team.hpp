// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/count_hits_team.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// A warp a group: turns the bits that count_hits_team kept into rows. A lane a candidate: the words of all particles for 32
/// candidates pass by, and each set bit notes its candidate behind those of lower lanes, in scratch. Rows are written when they
/// are complete or full: in whole sectors, since rows of particles in random order lie far apart.
///
/// H200, 1 M floats, instructions a particle and ms: 258 and 0.47 when lanes took different words of one particle (words in the
/// middle of the neighbourhood have most hits, and all lanes waited for them); 249 and 0.50 when each lane took the bits of its own
/// particle's words; 160 and 0.54 with each bit written where it belongs at once; 260 and 0.43 as here.
template <class Real, bool Imaged>
struct emit_hits_team {
  mask_pass<Real> pass;
  row_slots rows;

  static constexpr int warps = 4;
  static constexpr int resident_teams = Imaged ? 6 : 8;  ///< as many as scratch leaves room for
  static constexpr int chunk = 16 * warp_size;  ///< candidates whose indices are gathered together
  static constexpr int batch = 16;              ///< rows that are put together at a time
  static constexpr int room = 128;              ///< hits of a row that are noted before they are written

  /// The hits of a row among the candidates that lanes hold, and how many it has noted before them.
  struct alignas(8) hits_of_row {
    std::uint32_t word;
    int before;
  };
  struct scratch {
    std::size_t next[warp_size];  ///< where the rows go on
    hits_of_row hits[batch];
    int index[chunk + warp_size];
    std::uint16_t noted[batch][room];
    image shift[Imaged ? chunk + warp_size : 1];
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
    std::uint32_t const* kept = pass.masks.of(group);
    std::uint32_t const* words = kept + 1 + *kept;
    ++kept;

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
          expand(chunk / warp_size, words, particles, lane, s);
          words += chunk / warp_size * particles;
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

  /// Appends to each row the candidates in scratch whose bits are set, of n words a particle.
  KOKKOS_FUNCTION void expand(int n, std::uint32_t const* words, int particles, int lane, scratch& s) const {
    warp::sync();
    for (int first = 0; first < particles; first += batch)
      expand_batch(n, words + first, particles, first, particles - first < batch ? particles - first : batch, lane, s);
  }

  KOKKOS_FUNCTION void expand_batch(int n, std::uint32_t const* words, int stride, int first, int count, int lane, scratch& s) const {
    std::uint32_t const below = (1u << lane) - 1;
    bool const has_row = lane < count;
    int noted = 0;
    std::uint32_t next_word = has_row ? words[lane] : 0;
    for (int w = 0; w < n; ++w) {
      std::uint32_t const word = next_word;
      if (has_row && w + 1 < n) next_word = words[(w + 1) * stride + lane];
      int const more = warp::count(word);
      if (warp::which(noted + more > room) != 0) write(first, count, lane, noted, s);
      if (has_row) s.hits[lane] = {word, noted};
      noted += more;
      warp::sync();
      auto const candidate = static_cast<std::uint16_t>(w * warp_size + lane);
      UPSWEEP_UNROLL_4
      for (int row = 0; row < count; ++row) {
        hits_of_row const hits = s.hits[row];
        if (hits.word >> lane & 1) s.noted[row][hits.before + warp::count(hits.word & below)] = candidate;
      }
      warp::sync();
    }
    write(first, count, lane, noted, s);
  }

  /// Writes what is noted, row after row.
  KOKKOS_FUNCTION void write(int first, int count, int lane, int& noted, scratch& s) const {
    warp::sync();
    for (int row = 0; row < count; ++row) {
      int const n = warp::from(noted, row);
      std::size_t const next = s.next[first + row] + static_cast<std::size_t>(lane);
      int* out = rows.neighbors + next;
      [[maybe_unused]] image* images = rows.images + next;
      std::uint16_t const* from = s.noted[row] + lane;
      // Two or three rounds: unrolled, it would be mostly what comes before and after.
      UPSWEEP_NO_UNROLL
      for (int k = lane; k < n; k += warp_size, out += warp_size, from += warp_size) {
        *out = s.index[*from];
        if constexpr (Imaged) {
          *images = s.shift[*from];
          images += warp_size;
        }
      }
    }
    warp::sync();
    if (lane < count) s.next[first + lane] += static_cast<std::size_t>(noted);
    noted = 0;
    warp::sync();
  }
};

}  // namespace upsweep::detail
