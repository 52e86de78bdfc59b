// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/gpu/keep_nearest_gpu.hpp>
#include <upsweep/neighbors/detail/pairs/pair_slots.hpp>
#include <upsweep/neighbors/detail/rules/nearest_hits.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// One warp per group: clears bits as keep_nearest_gpu does, of rows that were too long for its steps. A lane has a
/// row, and a choice of its own (nearest_hits.hpp); lanes that have chosen wait for the others. The candidates pass by,
/// 32 at a time in scratch, and a lane looks at the hits of its row, one after the other, as where rules ask for ids.
template <class Real, bool Classes, class Systems, class Lanes = warp_lanes>
struct keep_nearest_in_lanes {
  mask_pass<Real, Systems> pass;

  static constexpr std::uint64_t step = many_hits::step + 1;
  static constexpr int warps = 2;
  static constexpr int resident_teams = 6;  ///< as many as scratch leaves room for

  struct scratch {
    std::uint32_t memory[nearest_hits<Real>::words][Lanes::size];  ///< of the choices: a lane's words in one bank
    int own[Lanes::size];                                          ///< the places of the particles that have the rows
    int place[2 * Lanes::size];                                    ///< of candidates
    image shift[2 * Lanes::size];
  };
  static constexpr std::size_t scratch_bytes = warps * sizeof(scratch) + 16;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const warp = member.team_rank() / Lanes::size, lane = member.team_rank() - warp * Lanes::size;
    if (*pass.masks.step_left < step) return;
    scratch& s = static_cast<scratch*>(member.team_scratch(0).get_shmem_aligned(warps * sizeof(scratch), 16))[warp];
    std::int64_t const warps_of_all = std::int64_t(member.league_size()) * warps;
    for (std::int64_t group = pass.first_group + std::int64_t(member.league_rank()) * warps + warp; pass.has(group);
         group += warps_of_all) {
      masked_rows const of_group = gather(group, lane, s);
      if (of_group.count > 0 && *pass.masks.used <= pass.masks.capacity) limit(group, of_group, lane, s);
      Lanes::sync();
    }
  }

 private:
  /// The rows of a group.
  struct masked_rows {
    int first, end;  ///< slots
    int count;
    int own;  ///< the place of the particle whose row the lane has
  };
  /// The words of a group as count_hits_gpu leaves them.
  struct group_words {
    std::uint32_t const* blocks;  ///< which of a block are candidates
    std::uint32_t* hits;          ///< for each 32 candidates one word per row
  };

  KOKKOS_FUNCTION masked_rows gather(std::int64_t group, int lane, scratch& s) const {
    auto const& p = pass.search.particles;
    masked_rows found{pass.groups[group], pass.groups[group + 1], 0, 0};
    bool const is_there = found.first + lane < found.end;
    int const place = is_there ? pass.place_of_slot(found.first + lane) : found.first;
    bool const has_row = is_there && p.order[place] < p.rows;
    auto const which = Lanes::ballot(has_row);
    found.count = Lanes::popcount(which);
    if (has_row) s.own[Lanes::popcount_below(which, lane)] = place;
    Lanes::sync();
    if (lane < found.count) found.own = s.own[lane];
    return found;
  }

  KOKKOS_FUNCTION void limit(std::int64_t group, masked_rows const& of_group, int lane, scratch& s) const {
    std::uint32_t* const kept = pass.masks.of(group);
    auto const blocks = static_cast<int>(*kept);
    group_words const words{kept + 1, kept + 1 + blocks};
    std::uint32_t candidates = 0;
    for (int b = lane; b < blocks; b += Lanes::size)
      candidates += static_cast<std::uint32_t>(Lanes::popcount(words.blocks[b]));
    candidates = Lanes::reduce_sum(candidates);
    std::size_t hits = 0;
    if (lane < of_group.count) {
      std::uint32_t const* word = words.hits + lane;
      for (std::uint32_t c = 0; c < candidates; c += Lanes::size, word += of_group.count)
        hits += static_cast<std::size_t>(Lanes::popcount(*word));
    }
    bool const has_more = hits > pass.search.rules.most_in_row;
    if (Lanes::ballot(has_more) == 0) return;

    nearest_hits<Real> nearest({pass.search.rules}, &s.memory[0][lane], Lanes::size);
    if (has_more) nearest.start(pass.search.rules.most_in_row, pass.search.particles.cutoff_squared);
    for (bool chooses = has_more; Lanes::ballot(chooses) != 0;) {
      filter(of_group, words, chooses, lane, s, [&](row_hit<Real> const& hit) {
        nearest.add(hit);
        return true;
      });
      if (chooses) chooses = !nearest.finish_pass();
    }
    filter(of_group, words, has_more, lane, s, [&](row_hit<Real> const& hit) { return nearest.has(hit); });
  }

  /// Leaves the hits of the lane's row that keep(hit) is true of; looks at none where it is not wanted.
  template <class Keep>
  KOKKOS_FORCEINLINE_FUNCTION void filter(masked_rows const& of_group, group_words const& words, bool wanted, int lane,
                                          scratch& s, Keep const& keep) const {
    auto const& p = pass.search.particles;
    warp_runs<Real, Systems, Classes, Lanes> const runs(p, pass.cells_of(of_group.first, of_group.end), lane);
    std::uint32_t const* block = words.blocks;
    std::uint32_t* word = words.hits + lane;
    int fill = 0;
    auto const look_at_first = [&] {
      Lanes::sync();
      if (wanted) {
        std::uint32_t const hits = *word, kept = kept_of(hits, of_group.own, s, keep);
        if (kept != hits) *word = kept;
      }
      word += of_group.count;
      Lanes::sync();
    };
    runs.for_each([&](candidate_run const& run, Real) {
      for (int from = run.begin; from < run.end; from += Lanes::size) {
        auto const which = *block++;
        int const at = fill + Lanes::popcount_below(which, lane), k = from + lane;
        if (which >> lane & 1) {
          s.place[at] = k;
          s.shift[at] = p.image_of(run, k);
        }
        fill += Lanes::popcount(which);
        if (fill < Lanes::size) continue;
        look_at_first();
        fill -= Lanes::size;
        if (lane < fill) {
          s.place[lane] = s.place[Lanes::size + lane];
          s.shift[lane] = s.shift[Lanes::size + lane];
        }
        Lanes::sync();
      }
    });
    if (fill > 0) look_at_first();
  }

  /// Of the hits among the candidates in scratch, those that keep(hit) is true of.
  template <class Keep>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t kept_of(std::uint32_t hits, int own, scratch const& s,
                                                    Keep const& keep) const {
    for (std::uint32_t left = hits; left != 0; left &= left - 1) {
      int const c = Lanes::lowest_set_bit(left);
      Real const squared = measured_pair<Real>(pass.search.particles, own, s.place[c], s.shift[c]).squared;
      if (!keep(row_hit<Real>{squared, s.place[c], s.shift[c]})) hits &= ~(1u << c);
    }
    return hits;
  }
};

}  // namespace upsweep::neighbors::detail
