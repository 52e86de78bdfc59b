// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/neighbors/detail/grid/binning_kernels.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

using internal::warp_lanes;

/// arrange_cells_kernel with a warp for two cells that lie side by side. Where neither has more particles than half a
/// warp has lanes, each half takes one: a lane finds the rank of its particle by comparing it with all others of its
/// cell. Else the warp takes one cell after the other; a cell of more particles than lanes is sorted in place by a
/// bitonic network whose comparators all point up, so that what is missing to a power of two may be thought of as
/// infinite.
///
/// A warp for each cell left most lanes idle where cells have few particles: builds for 1 M particles with 20
/// neighbours each took 739 us on an H100, and take 706 (2026-11-25).
template <class Positions, class Real, class Systems>
struct arrange_cells_team {
  arrange_cells_kernel<Positions, Real, Systems> cells;
  std::int64_t count;

  static constexpr int warps = 4;
  static constexpr int cells_of_warp = 2;
  static constexpr int half = warp_lanes::size / cells_of_warp;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const lane = member.team_rank() % warp_lanes::size;
    std::int64_t const first =
        (static_cast<std::int64_t>(member.league_rank()) * warps + member.team_rank() / warp_lanes::size) *
        cells_of_warp;
    std::int64_t const own = first + lane / half;
    int const place = own < count ? cells.starts.place(static_cast<int>(own)) : 0;
    int const n = own < count ? cells.starts.place(static_cast<int>(own) + 1) - place : 0;
    int const other_n = warp_lanes::shuffle_xor(n, half);
    int const most = n < other_n ? other_n : n;
    if (most <= half) {
      rank_and_store<half>(place, n, most, lane);
      if (own < count) begin_groups(static_cast<int>(own), place, n, lane % half, half);
    } else {
      for (std::int64_t c = first; c < first + cells_of_warp && c < count; ++c) arrange(static_cast<int>(c), lane);
    }
  }

  static std::int64_t teams(std::int64_t cells) {
    return internal::divide_up<std::int64_t>(cells, std::int64_t(warps) * cells_of_warp);
  }

 private:
  KOKKOS_FUNCTION void arrange(int cell, int lane) const {
    int const first = cells.starts.place(cell), n = cells.starts.place(cell + 1) - first;
    if (n <= warp_lanes::size) {
      rank_and_store<warp_lanes::size>(first, n, n, lane);
    } else {
      int* const v = cells.order + first;
      sort(v, n, lane);
      for (int k = lane; k < n; k += warp_lanes::size) cells.store(first + k, v[k]);
    }
    begin_groups(cell, first, n, lane, warp_lanes::size);
  }

  /// Each `Lanes` lanes have a cell of n particles from place `first` on. `most` is the larger n of the warp's cells,
  /// since all lanes of a warp must take part in each shuffle.
  template <int Lanes>
  KOKKOS_FUNCTION void rank_and_store(int first, int n, int most, int lane) const {
    int* const v = cells.order + first;
    int const at = lane % Lanes, first_lane = lane - at;
    int const own = at < n ? v[at] : 0;
    int rank = 0;
    // Looked at once, and not for each pair: 47 us for 1 M particles on an H200 and not 53 (under ncu).
    if (cells.before.ids == nullptr) {
      for (int k = 0; k < most; ++k) {
        int const other = warp_lanes::shuffle(own, first_lane + k);
        rank += k < n && other < own ? 1 : 0;
      }
    } else {
      for (int k = 0; k < most; ++k) {
        int const other = warp_lanes::shuffle(own, first_lane + k);
        rank += k < n && cells.before(other, own) ? 1 : 0;
      }
    }
    if (at < n) {
      v[rank] = own;
      cells.store(first + rank, own);
    }
  }

  KOKKOS_FUNCTION void begin_groups(int cell, int first, int n, int lane, int lanes) const {
    int const group = cells.starts.group(cell), groups = cells.starts.group(cell + 1) - group;
    for (int k = lane; k < groups; k += lanes) cells.groups[group + k] = first + k * cells.group_size;
    if (lane == 0 && cell + 1 == cells.grouped_cells) cells.groups[group + groups] = first + n;
  }

  KOKKOS_FUNCTION void sort(int* v, int n, int lane) const {
    for (std::int64_t size = 2; size < 2 * std::int64_t(n); size *= 2) {
      compare_all(v, n, lane, size - 1);
      for (std::int64_t distance = size / 4; distance > 0; distance /= 2) compare_all(v, n, lane, distance);
    }
  }
  KOKKOS_FUNCTION void compare_all(int* v, int n, int lane, std::int64_t partner_bits) const {
    for (std::int64_t k = lane; k < n; k += warp_lanes::size) {
      std::int64_t const other = k ^ partner_bits;
      if (other > k && other < n && cells.before(v[other], v[k])) Kokkos::kokkos_swap(v[other], v[k]);
    }
    warp_lanes::sync();
  }
};

/// Orders the particles of every cell and stores them at their places.
template <class ExecutionSpace, class Positions, class Real, class Systems>
void arrange_cells(ExecutionSpace const& space, std::int64_t cells,
                   arrange_cells_kernel<Positions, Real, Systems> const& kernel) {
  static constexpr char const* name = "upsweep::neighbor_list::arrange_cells";
  if constexpr (compat::has_warps_of_32<ExecutionSpace>) {
    using team = arrange_cells_team<Positions, Real, Systems>;
    Kokkos::parallel_for(
        name,
        Kokkos::TeamPolicy<ExecutionSpace>(space, static_cast<int>(team::teams(cells)), team::warps * warp_lanes::size),
        team{kernel, cells});
  } else {
    internal::for_each_index(space, name, static_cast<std::size_t>(cells), kernel);
  }
}

}  // namespace upsweep::neighbors::detail
