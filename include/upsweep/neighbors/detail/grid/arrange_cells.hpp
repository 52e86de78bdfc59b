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

/// arrange_cells_kernel with a warp for a cell: a lane finds the rank of its particle by comparing it with all others
/// of its cell. A cell of more particles than lanes is sorted in place by a bitonic network whose comparators all point
/// up, so that what is missing to a power of two may be thought of as infinite. Where cells have few particles, a warp
/// has two cells that lie side by side, and each half of its lanes takes one, unless one of them has more particles.
///
/// A warp for each cell left most lanes idle where cells have few particles: builds for 1 M particles with 20
/// neighbours each took 739 us on an H100, and take 706 (2026-11-25). Two cells of 20 particles, one after the other,
/// take longer than by two warps: 11 and 10 us for 5000 particles, 16 and 11 for 32,000 (2026-11-28).
template <class Positions, class Real, class Systems, class Lanes = warp_lanes>
struct arrange_cells_team {
  arrange_cells_kernel<Positions, Real, Systems> cells;
  std::int64_t count;
  int cells_of_warp;  ///< one or two

  static constexpr int warps = 4;
  static constexpr int half = Lanes::size / 2;

  /// For cells with so many particles on average.
  static int cells_for(double particles) { return particles < half * 0.6 ? 2 : 1; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const lane = member.team_rank() % Lanes::size;
    std::int64_t const first =
        (static_cast<std::int64_t>(member.league_rank()) * warps + member.team_rank() / Lanes::size) * cells_of_warp;
    if (cells_of_warp == 2 && arrange_two(first, lane)) return;
    for (std::int64_t c = first; c < first + cells_of_warp && c < count; ++c) arrange(static_cast<int>(c), lane);
  }

  std::int64_t teams() const { return internal::divide_up<std::int64_t>(count, std::int64_t(warps) * cells_of_warp); }

 private:
  /// Each half of the warp takes a cell; false where one of them has too many particles.
  KOKKOS_FUNCTION bool arrange_two(std::int64_t first, int lane) const {
    std::int64_t const own = first + lane / half;
    int const place = own < count ? cells.starts.place(static_cast<int>(own)) : 0;
    int const n = own < count ? cells.starts.place(static_cast<int>(own) + 1) - place : 0;
    int const other_n = Lanes::shuffle_xor(n, half);
    int const most = n < other_n ? other_n : n;
    if (most > half) return false;
    rank_and_store<half>(place, n, most, lane);
    if (own < count) begin_groups(static_cast<int>(own), place, n, lane % half, half);
    return true;
  }

  KOKKOS_FUNCTION void arrange(int cell, int lane) const {
    int const first = cells.starts.place(cell), n = cells.starts.place(cell + 1) - first;
    if (n <= Lanes::size) {
      rank_and_store<Lanes::size>(first, n, n, lane);
    } else {
      int* const v = cells.order + first;
      if (!is_in_order(v, n, lane)) order_many(v, n, lane);
      for (int k = lane; k < n; k += Lanes::size) cells.store(first + k, v[k]);
    }
    begin_groups(cell, first, n, lane, Lanes::size);
  }

  KOKKOS_FUNCTION void order_many(int* v, int n, int lane) const {
    if (n <= 3 * Lanes::size) rank<3>(v, n, lane);
    else if (n <= 6 * Lanes::size) rank<6>(v, n, lane);
    else sort(v, n, lane);
  }

  /// Whether the particles are in order already, as those of a batch's system that is one cell. Others are mostly not
  /// within the first 32.
  KOKKOS_FUNCTION bool is_in_order(int const* v, int n, int lane) const {
    for (int from = 0; from + 1 < n; from += Lanes::size) {
      int const k = from + lane;
      if (Lanes::ballot(k + 1 < n && cells.before(v[k + 1], v[k])) != 0) return false;
    }
    return true;
  }

  /// Orders up to `each` particles for each lane, which has several of them. The largest cells are what a small list
  /// waits for, and the network would go through memory 21 times: 10 us for 5000 particles on an H100, 6 so. 1024 cells
  /// of 128 particles: 26 and 18 us (2026-11-28).
  template <int each>
  KOKKOS_FUNCTION void rank(int* v, int n, int lane) const {
    if (cells.before.ids == nullptr) rank<each>(v, n, lane, [](int a, int b) { return a < b; });
    else rank<each>(v, n, lane, cells.before);
  }
  template <int each, class Before>
  KOKKOS_FUNCTION static void rank(int* v, int n, int lane, Before const& before) {
    int own[each], ranks[each] = {};
    UPSWEEP_UNROLL
    for (int u = 0; u < each; ++u) own[u] = v[Kokkos::min(u * Lanes::size + lane, n - 1)];
    UPSWEEP_UNROLL
    for (int from = 0; from < each; ++from) {
      int const left = n - from * Lanes::size, there = left < Lanes::size ? left : Lanes::size;
      UPSWEEP_UNROLL_4
      for (int k = 0; k < there; ++k) {
        int const other = Lanes::shuffle(own[from], k);
        UPSWEEP_UNROLL
        for (int u = 0; u < each; ++u) ranks[u] += before(other, own[u]) ? 1 : 0;
      }
    }
    Lanes::sync();
    UPSWEEP_UNROLL
    for (int u = 0; u < each; ++u)
      if (u * Lanes::size + lane < n) v[ranks[u]] = own[u];
    Lanes::sync();
  }

  /// `Each` lanes have a cell of n particles from place `first` on. `most` is the larger n of the warp's cells,
  /// since all lanes of a warp must take part in each shuffle.
  template <int Each>
  KOKKOS_FUNCTION void rank_and_store(int first, int n, int most, int lane) const {
    int* const v = cells.order + first;
    int const at = lane % Each, first_lane = lane - at;
    int const own = at < n ? v[at] : 0;
    int rank = 0;
    // Looked at once, and not for each pair: 47 us for 1 M particles on an H200 and not 53 (under ncu).
    if (cells.before.ids == nullptr) {
      for (int k = 0; k < most; ++k) {
        int const other = Lanes::shuffle(own, first_lane + k);
        rank += k < n && other < own ? 1 : 0;
      }
    } else {
      for (int k = 0; k < most; ++k) {
        int const other = Lanes::shuffle(own, first_lane + k);
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
    for (int k = lane; k < groups; k += lanes)
      cells.groups[group + k] = first + particle_groups::begin_of(k, groups, n);
    if (lane == 0 && cell + 1 == cells.grouped_cells) cells.groups[group + groups] = first + n;
  }

  KOKKOS_FUNCTION void sort(int* v, int n, int lane) const {
    for (std::int64_t size = 2; size < 2 * std::int64_t(n); size *= 2) {
      compare_all(v, n, lane, size - 1);
      for (std::int64_t distance = size / 4; distance > 0; distance /= 2) compare_all(v, n, lane, distance);
    }
  }
  KOKKOS_FUNCTION void compare_all(int* v, int n, int lane, std::int64_t partner_bits) const {
    for (std::int64_t k = lane; k < n; k += Lanes::size) {
      std::int64_t const other = k ^ partner_bits;
      if (other > k && other < n && cells.before(v[other], v[k])) Kokkos::kokkos_swap(v[other], v[k]);
    }
    Lanes::sync();
  }
};

/// Orders the particles of every cell and stores them at their places.
template <class ExecutionSpace, class Positions, class Real, class Systems>
void arrange_cells(ExecutionSpace const& space, std::int64_t cells,
                   arrange_cells_kernel<Positions, Real, Systems> const& kernel) {
  static constexpr char const* name = "upsweep::neighbor_list::arrange_cells";
  if constexpr (compat::has_warps_of_32<ExecutionSpace>) {
    using team_type = arrange_cells_team<Positions, Real, Systems>;
    double const each = static_cast<double>(kernel.particles) / static_cast<double>(cells);
    team_type const team{kernel, cells, team_type::cells_for(each)};
    Kokkos::TeamPolicy<ExecutionSpace> const policy(space, static_cast<int>(team.teams()),
                                                    team_type::warps * warp_lanes::size);
    Kokkos::parallel_for(name, compat::light(policy), team);
  } else {
    internal::for_each_index(space, name, static_cast<std::size_t>(cells), kernel);
  }
}

}  // namespace upsweep::neighbors::detail
