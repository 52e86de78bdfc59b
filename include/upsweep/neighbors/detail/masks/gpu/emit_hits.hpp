// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/scratch_copies.hpp>
#include <upsweep/neighbors/detail/masks/gpu/count_hits.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

using internal::warp_lanes;

/// One warp per group: turns the bits that count_hits_gpu kept into rows. One lane per candidate: the words of all
/// particles for 32 candidates pass by, and each set bit notes its candidate behind those of lower lanes, in
/// scratch. Rows are written when they are complete or full: in whole sectors, since rows of particles in random
/// order lie far apart.
///
/// H200, 1 M floats, emission alone, ms: 0.54 with each bit written where it belongs at once; 0.47 with lanes that take
/// different words of one particle (those in the middle of the neighbourhood have most hits, and all lanes wait for
/// them); 0.43 with a row's hits loaded and noted one after the other; 0.40 with four rows' loaded first; 0.36 with
/// scratch for 8 teams a multiprocessor and not 7; 0.345 with indices copied past the registers and words loaded two
/// ahead. Each lane the bits of a particle of its own: 0.36.
///
/// Values: whether the list keeps more of a pair than its neighbour and image. Scratch then has the places of
/// candidates, from which a lane computes what it writes; coordinates of a neighbourhood are in the nearest cache.
template <class Real, bool Imaged, bool Values, bool Classes, class Systems>
struct emit_hits_gpu {
  mask_pass<Real, Systems> pass;
  slots_of<Real, Values> rows;

  static constexpr int warps = 4;
  /// As many as scratch leaves room for; with values, registers.
  static constexpr int resident_teams = Values ? 4 : Imaged ? 6 : 8;
  static constexpr int chunk = 14 * warp_lanes::size;  ///< candidates whose indices are gathered together
  static constexpr int notes = 2048;                   ///< hits that are noted before they are written: about 100 a row
  static constexpr int most_rows = 20;                 ///< that are put together at a time
  static constexpr int unrolled = 4;                   ///< rows that are noted, and rounds that are written, together

  /// The hits of a row among the candidates that lanes hold, and where their notes begin.
  struct alignas(8) hits_of_row {
    std::uint32_t word;
    int notes;
  };
  /// Of two rows: lanes read them at once.
  struct alignas(16) hits_of_rows {
    hits_of_row of[2];
    KOKKOS_FORCEINLINE_FUNCTION void get(hits_of_row& a, hits_of_row& b) const {
      hits_of_rows const both = *this;
      a = both.of[0];
      b = both.of[1];
    }
  };
  struct scratch {
    hits_of_rows hits[warp_lanes::size / 2];
    std::size_t next[warp_lanes::size];  ///< where the rows go on
    int index[chunk + warp_lanes::size];
    std::uint16_t noted[notes];
    image shift[Imaged ? chunk + warp_lanes::size : 1];
  };
  struct scratch_with_places : scratch {
    int place[chunk + warp_lanes::size];
    int own[warp_lanes::size];  ///< the places of the particles that have the rows
  };
  using scratch_type = std::conditional_t<Values, scratch_with_places, scratch>;
  static constexpr std::size_t scratch_bytes = warps * sizeof(scratch_type) + 16;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const rank = member.team_rank(), lane = rank % warp_lanes::size;
    auto* const all =
        static_cast<scratch_type*>(member.team_scratch(0).get_shmem_aligned(warps * sizeof(scratch_type), 16));
    std::int64_t const group =
        pass.first_group + static_cast<std::int64_t>(member.league_rank()) * warps + rank / warp_lanes::size;
    if (rows.are_wanted(member.league_rank() == 0 && rank == 0) && pass.has(group))
      emit_group(group, lane, all[rank / warp_lanes::size]);
  }

 private:
  /// Some rows of a group that are put together.
  struct batch {
    int first, count;
    int room;  ///< notes a row
  };

  KOKKOS_FUNCTION void emit_group(std::int64_t group, int lane, scratch_type& s) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group], end = pass.groups[group + 1];
    std::uint32_t const below = (1u << lane) - 1;
    int const own = first + lane < end ? pass.place_of_slot(first + lane) : first;
    int const i = first + lane < end ? p.order[own] : p.rows;
    std::uint32_t const which = warp_lanes::ballot(i < p.rows);
    int const particles = warp_lanes::popcount(which);
    if (particles == 0) return;
    if (i < p.rows) s.next[warp_lanes::popcount(which & below)] = rows.offsets[i];
    if constexpr (Values)
      if (i < p.rows) s.own[warp_lanes::popcount(which & below)] = own;

    warp_runs<Real, Systems, Classes> const runs(p, pass.cells_of(first, end), lane);
    std::uint32_t const* kept = pass.masks.of(group);
    std::uint32_t const blocks = *kept++;
    std::uint32_t const* words = kept + blocks;

    int fill = 0;
    std::uint32_t block = 0, own_wanted = 0;
    runs.for_each([&](candidate_run const& run, Real) {
      for (int from = run.begin; from < run.end; from += warp_lanes::size, ++block) {
        if (block % warp_lanes::size == 0) own_wanted = block + lane < blocks ? kept[block + lane] : 0;
        std::uint32_t const wanted = warp_lanes::shuffle(own_wanted, static_cast<int>(block % warp_lanes::size));
        if (wanted >> lane & 1) {
          int const at = fill + warp_lanes::popcount(wanted & below), k = from + lane;
          internal::scratch_copies::begin(s.index + at, p.order + k);
          if constexpr (Imaged) s.shift[at] = p.image_of(run, k);
          if constexpr (Values) s.place[at] = k;
        }
        fill += warp_lanes::popcount(wanted);
        if (fill >= chunk) {
          expand(chunk / warp_lanes::size, words, particles, lane, s);
          words += chunk / warp_lanes::size * particles;
          fill -= chunk;
          if (lane < fill) {
            s.index[lane] = s.index[chunk + lane];
            if constexpr (Imaged) s.shift[lane] = s.shift[chunk + lane];
            if constexpr (Values) s.place[lane] = s.place[chunk + lane];
          }
        }
      }
    });
    if (fill > 0) expand((fill + warp_lanes::size - 1) / warp_lanes::size, words, particles, lane, s);
  }

  /// Appends to each row the candidates in scratch whose bits are set, of n words per particle.
  KOKKOS_FUNCTION void expand(int n, std::uint32_t const* words, int particles, int lane, scratch_type& s) const {
    internal::scratch_copies::wait();
    warp_lanes::sync();
    int const rows_each = internal::divide_up(particles, internal::divide_up(particles, most_rows));
    for (int from = 0; from < particles; from += rows_each) {
      int const count = particles - from < rows_each ? particles - from : rows_each;
      expand_batch(n, words + from, particles, {from, count, notes / rows_each}, lane, s);
    }
  }

  KOKKOS_FUNCTION void expand_batch(int n, std::uint32_t const* words, int stride, batch const& b, int lane,
                                    scratch_type& s) const {
    std::uint32_t const below = (1u << lane) - 1;
    bool const has_row = lane < b.count;
    int noted = 0;
    words += lane;
    // Two words ahead: they come from device memory.
    std::uint32_t next = has_row ? *words : 0, after_next = has_row && n > 1 ? words[stride] : 0;
    words += stride;
    for (int w = 0; w < n; ++w) {
      std::uint32_t const word = next;
      words += stride;
      next = after_next;
      after_next = has_row && w + 2 < n ? *words : 0;
      int const more = warp_lanes::popcount(word);
      if (warp_lanes::ballot(noted + more > b.room) != 0) write(b, lane, noted, s);
      s.hits[lane / 2].of[lane % 2] = {word, lane * b.room + noted};
      noted += more;
      warp_lanes::sync();
      auto const candidate = static_cast<std::uint16_t>(w * warp_lanes::size + lane);
      for (int row = 0; row < b.count; row += unrolled) {
        // Loaded before any is noted: what a note overwrites is not known, and each load would wait for it.
        hits_of_row hits[unrolled];
        UPSWEEP_UNROLL
        for (int u = 0; u < unrolled; u += 2) s.hits[(row + u) / 2].get(hits[u], hits[u + 1]);
        UPSWEEP_UNROLL
        for (int u = 0; u < unrolled; ++u)
          if (hits[u].word >> lane & 1) s.noted[hits[u].notes + warp_lanes::popcount(hits[u].word & below)] = candidate;
      }
      warp_lanes::sync();
    }
    write(b, lane, noted, s);
  }

  /// Writes what is noted, row after row.
  KOKKOS_FUNCTION void write(batch const& b, int lane, int& noted, scratch_type& s) const {
    warp_lanes::sync();
    for (int row = 0; row < b.count; ++row) {
      int const n = warp_lanes::shuffle(noted, row);
      std::size_t const next = s.next[b.first + row] + static_cast<std::size_t>(lane);
      if constexpr (Values) {
        write_values(next, s.noted + row * b.room + lane, n - lane, s.own[b.first + row], s);
        continue;
      }
      int* out = rows.neighbors + next;
      [[maybe_unused]] image* images = rows.images + next;
      std::uint16_t const* from = s.noted + row * b.room + lane;
      for (int k = lane; k - lane < n; k += unrolled * warp_lanes::size) {
        UPSWEEP_UNROLL
        for (int u = 0; u < unrolled; ++u)
          if (k + u * warp_lanes::size < n) {
            int const at = from[u * warp_lanes::size];
            out[u * warp_lanes::size] = s.index[at] - pass.search.particles.first_candidate;
            if constexpr (Imaged) images[u * warp_lanes::size] = s.shift[at];
          }
        out += unrolled * warp_lanes::size;
        from += unrolled * warp_lanes::size;
        if constexpr (Imaged) images += unrolled * warp_lanes::size;
      }
    }
    warp_lanes::sync();
    if (lane < b.count) s.next[b.first + lane] += static_cast<std::size_t>(noted);
    noted = 0;
    warp_lanes::sync();
  }

  /// A lane's part of a row: every 32nd of n pairs.
  KOKKOS_FUNCTION void write_values(std::size_t next, std::uint16_t const* from, int n, int own,
                                    scratch_type& s) const {
    auto const& p = pass.search.particles;
    UPSWEEP_NO_UNROLL
    for (int k = 0; k < n; k += warp_lanes::size) {
      int const at = from[k];
      rows.neighbors[next + k] = s.index[at] - p.first_candidate;
      if (rows.images != nullptr) rows.images[next + k] = s.shift[at];
      store_pair(rows.values, next + static_cast<std::size_t>(k), p, own, s.place[at], s.shift[at]);
    }
  }
};

}  // namespace upsweep::neighbors::detail
