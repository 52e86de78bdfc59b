// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/gpu/scratch_copies.hpp>
#include <upsweep/neighbors/detail/masks/gpu/count_hits.hpp>
#include <upsweep/neighbors/detail/masks/gpu/expand_words.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

using internal::warp_lanes;

/// One warp per group: turns the bits that count_hits_gpu kept into rows (expand_words.hpp).
///
/// Values: whether the list keeps more of a pair than its neighbour and image. Scratch then has the places of
/// candidates, from which a lane computes what it writes; coordinates of a neighbourhood are in the nearest cache.
template <class Real, bool Imaged, bool Values, bool Classes, class Systems, class Lanes = warp_lanes>
struct emit_hits_gpu {
  mask_pass<Real, Systems> pass;
  slots_of<Real, Values> rows;

  static constexpr int warps = 4;
  /// As many as scratch leaves room for; with values, registers.
  static constexpr int resident_teams = Values ? 4 : Imaged ? 6 : 8;
  static constexpr int words_each = 16;                   ///< of a row, that are turned into pairs together
  static constexpr int chunk = words_each * Lanes::size;  ///< candidates whose indices are gathered together

  using expansion = word_expansion<Lanes, words_each>;
  struct scratch : expansion::scratch {
    int index[chunk + Lanes::size];
    image shift[Imaged ? chunk + Lanes::size : 1];
  };
  struct scratch_with_places : scratch {
    int place[chunk + Lanes::size];
    int own[Lanes::size];  ///< the places of the particles that have the rows
  };
  using scratch_type = std::conditional_t<Values, scratch_with_places, scratch>;
  static constexpr std::size_t scratch_bytes = sizeof(bits_of_bytes) + warps * sizeof(scratch_type) + 32;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const rank = member.team_rank(), lane = rank % Lanes::size;
    auto* const all =
        static_cast<scratch_type*>(member.team_scratch(0).get_shmem_aligned(warps * sizeof(scratch_type), 16));
    auto* const bits = static_cast<bits_of_bytes*>(member.team_scratch(0).get_shmem_aligned(sizeof(bits_of_bytes), 16));
    std::int64_t const first = pass.first_group + static_cast<std::int64_t>(member.league_rank()) * warps;
    std::int64_t const group = first + rank / Lanes::size;
    // Some teams may have no group, where they are launched before the CPU knows how many there are.
    if (member.league_rank() > 0 && !pass.has(first)) return;
    bits->fill(rank, warps * Lanes::size);
    member.team_barrier();
    if (rows.are_wanted(member.league_rank() == 0 && rank == 0) && pass.has(group))
      emit_group(group, lane, *bits, all[rank / Lanes::size]);
  }

 private:
  KOKKOS_FUNCTION void emit_group(std::int64_t group, int lane, bits_of_bytes const& bits, scratch_type& s) const {
    auto const& p = pass.search.particles;
    int const first = pass.groups[group], end = pass.groups[group + 1];
    std::uint32_t const below = (1u << lane) - 1;
    int const own = first + lane < end ? pass.place_of_slot(first + lane) : first;
    int const i = first + lane < end ? p.order[own] : p.rows;
    auto const which = Lanes::ballot(i < p.rows);
    int const count = Lanes::popcount(which);
    if (count == 0) return;
    // The lane that knows the particle of the lane's row.
    int const from = lane < count ? nth_set_bit<Lanes>(which, lane) : 0;
    int const row = Lanes::shuffle(i, from);
    std::size_t next = lane < count ? rows.offsets[row] : 0;
    if constexpr (Values) s.own[lane] = Lanes::shuffle(own, from);

    warp_runs<Real, Systems, Classes, Lanes> const runs(p, pass.cells_of(first, end), lane);
    std::uint32_t const* kept = pass.masks.of(group);
    std::uint32_t const blocks = *kept++;
    std::uint32_t const* words = kept + blocks;
    auto const expand = [&](int n) {
      expansion::load(s, words, n, count, lane);
      internal::scratch_copies::wait();
      Lanes::sync();
      expansion::expand(
          s, bits, n, count, lane, next, rows.neighbors,
          [&](int number) { return s.index[number] - p.first_candidate; },
          [&](std::size_t slot, int of, int number) { store(slot, of, number, s); });
      words += n * count;
    };

    int fill = 0;
    std::uint32_t block = 0, own_wanted = 0;
    runs.for_each([&](candidate_run const& run, Real) {
      for (int k = run.begin + lane; k - lane < run.end; k += Lanes::size, ++block) {
        if (block % Lanes::size == 0) own_wanted = block + lane < blocks ? kept[block + lane] : 0;
        std::uint32_t const wanted = Lanes::shuffle(own_wanted, static_cast<int>(block % Lanes::size));
        if (wanted >> lane & 1) {
          int const at = fill + Lanes::popcount(wanted & below);
          internal::scratch_copies::begin(s.index + at, p.order + k);
          if constexpr (Imaged) s.shift[at] = p.image_of(run, k);
          if constexpr (Values) s.place[at] = k;
        }
        fill += Lanes::popcount(wanted);
        if (fill >= chunk) {
          expand(words_each);
          fill -= chunk;
          if (lane < fill) {
            s.index[lane] = s.index[chunk + lane];
            if constexpr (Imaged) s.shift[lane] = s.shift[chunk + lane];
            if constexpr (Values) s.place[lane] = s.place[chunk + lane];
          }
        }
      }
    });
    if (fill > 0) expand((fill + Lanes::size - 1) / Lanes::size);
  }

  /// What is kept of a pair beside its neighbour.
  KOKKOS_FORCEINLINE_FUNCTION void store([[maybe_unused]] std::size_t k, [[maybe_unused]] int row,
                                         [[maybe_unused]] int number, [[maybe_unused]] scratch_type const& s) const {
    [[maybe_unused]] auto const& p = pass.search.particles;
    if constexpr (Imaged)
      if (rows.images != nullptr) rows.images[k] = s.shift[number];
    if constexpr (Values) store_pair(rows.values, k, p, s.own[row], s.place[number], s.shift[number]);
  }
};

}  // namespace upsweep::neighbors::detail
