// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/grid/candidate_runs.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

using internal::warp_lanes;

/// One warp per cell: puts particles that are near each other into the same groups. The particles of a cell are in the
/// order of their ids, so that each of several groups of a cell would be as wide as the cell, and what it is compared
/// with, too. Here they are sorted by the 4 x 4 x 4 subcells of what surrounds them, along a curve. That is an order of
/// slots: groups have slots side by side. Rows do not show it.
///
/// H100, floats, 8192 systems of 128 particles in one cell, 78 neighbours in many images, under ncu: counting 951 us
/// before and 783 so, emission 671 and 562, this kernel 18. Whole lists of 1 M particles with 250 neighbours each took
/// 2.26 ms and take 1.97, of 300,000 with 800 each 2.38 and 1.92 (2026-11-28).
template <class Real, class Lanes = warp_lanes>
struct compact_groups_kernel {
  cell_starts starts;
  int cells;
  int group_size;  ///< cells of so many particles are one group
  Real const *x, *y, *z;
  int* place_of;  ///< of each slot
  int* slot_of;   ///< of each place

  static constexpr int warps = 4;
  static constexpr int subcells = 64;  ///< 4 x 4 x 4
  struct scratch {
    int next[subcells];  ///< first the numbers of particles, then where the next one goes
  };
  static constexpr std::size_t scratch_bytes = warps * sizeof(scratch) + 16;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const warp = member.team_rank() / Lanes::size, lane = member.team_rank() % Lanes::size;
    auto* const all = static_cast<scratch*>(member.team_scratch(0).get_shmem_aligned(warps * sizeof(scratch), 16));
    std::int64_t const cell = static_cast<std::int64_t>(member.league_rank()) * warps + warp;
    if (cell >= cells) return;
    int const first = starts.place(static_cast<int>(cell)), end = starts.place(static_cast<int>(cell) + 1);
    if (end - first <= group_size) {
      for (int k = first + lane; k < end; k += Lanes::size) place_of[k] = slot_of[k] = k;
      return;
    }
    sort(first, end, lane, all[warp]);
  }

  template <class ExecutionSpace>
  void launch(ExecutionSpace const& space) const {
    auto const policy =
        Kokkos::TeamPolicy<ExecutionSpace>(space, internal::divide_up(cells, warps), warps * Lanes::size)
            .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
    Kokkos::parallel_for("upsweep::neighbor_list::compact_groups", compat::light(policy), *this);
  }

 private:
  /// Where a cell's particles are, and how many subcells that is per length.
  struct frame {
    Real lo[3], scale[3];
  };

  KOKKOS_FUNCTION void sort(int first, int end, int lane, scratch& s) const {
    frame const of_cell = measure(first, end, lane);
    for (int k = lane; k < subcells; k += Lanes::size) s.next[k] = 0;
    Lanes::sync();
    for_each_round(first, end, lane, of_cell, [&](int, int subcell, int, int count) {
      if (count > 0) s.next[subcell] += count;
    });
    int before = first;
    for (int k = lane; k < subcells; k += Lanes::size) {
      int const own = s.next[k], up_to = internal::scan_lanes<Lanes>(plus<int>{}, own, lane);
      s.next[k] = before + up_to - own;
      before += Lanes::shuffle(up_to, Lanes::size - 1);
    }
    Lanes::sync();
    for_each_round(first, end, lane, of_cell, [&](int place, int subcell, int rank, int count) {
      int const slot = place < end ? s.next[subcell] + rank : 0;
      if (place < end) {
        place_of[slot] = place;
        slot_of[place] = slot;
      }
      Lanes::sync();
      if (count > 0) s.next[subcell] += count;
    });
  }

  KOKKOS_FUNCTION frame measure(int first, int end, int lane) const {
    constexpr Real inf = internal::largest_value<Real>;
    Real lo[3] = {inf, inf, inf}, hi[3] = {-inf, -inf, -inf};
    for (int k = first + lane; k < end; k += Lanes::size) {
      Real const at[3] = {x[k], y[k], z[k]};
      for (int d = 0; d < 3; ++d) {
        lo[d] = Kokkos::fmin(lo[d], at[d]);
        hi[d] = Kokkos::fmax(hi[d], at[d]);
      }
    }
    frame result;
    for (int d = 0; d < 3; ++d) {
      for (int bit = 1; bit < Lanes::size; bit *= 2) {
        lo[d] = Kokkos::fmin(lo[d], Lanes::shuffle_xor(lo[d], bit));
        hi[d] = Kokkos::fmax(hi[d], Lanes::shuffle_xor(hi[d], bit));
      }
      result.lo[d] = lo[d];
      result.scale[d] = hi[d] > lo[d] ? 4 / (hi[d] - lo[d]) : Real(0);
    }
    return result;
  }

  /// step(place, subcell, rank, count): of as many particles as there are lanes at a time, the subcell of a lane's
  /// particle and how many of the lanes before have the same; the last of these gets their number, the others 0.
  template <class Step>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_round(int first, int end, int lane, frame const& of_cell,
                                                  Step const& step) const {
    constexpr std::uint32_t bits[6] = {1, 2, 4, 8, 16, 32};
    for (int from = first; from < end; from += Lanes::size) {
      int const place = from + lane;
      bool const is_there = place < end;
      int const subcell = is_there ? subcell_of(place, of_cell) : 0;
      auto const same = static_cast<typename Lanes::mask>(Lanes::match_bits(static_cast<std::uint32_t>(subcell), bits) &
                                                          Lanes::ballot(is_there));
      bool const is_last = is_there && Lanes::highest_set_bit(same) == lane;
      step(place, subcell, Lanes::popcount_below(same, lane), is_last ? Lanes::popcount(same) : 0);
      Lanes::sync();
    }
  }

  /// Two bits of each coordinate: the higher ones, then the lower ones.
  KOKKOS_FORCEINLINE_FUNCTION int subcell_of(int place, frame const& f) const {
    Real const at[3] = {x[place], y[place], z[place]};
    int subcell = 0;
    for (int d = 0; d < 3; ++d) {
      // Coordinates that are no numbers, of particles that will be refused, are in some subcell, too.
      Real const scaled = Kokkos::fmin(Kokkos::fmax((at[d] - f.lo[d]) * f.scale[d], Real(0)), Real(3));
      int const c = static_cast<int>(scaled);
      subcell |= (c >> 1) << (3 + d) | (c & 1) << d;
    }
    return subcell;
  }
};

}  // namespace upsweep::neighbors::detail
