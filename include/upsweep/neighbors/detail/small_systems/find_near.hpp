// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/neighbors/detail/grid/candidate_runs.hpp>
#include <upsweep/neighbors/detail/pairs/lane_runs.hpp>
#include <upsweep/neighbors/detail/small_systems/small_systems.hpp>
#include <upsweep/neighbors/detail/small_systems/system_scratch.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// The candidates that are near a system, by a team: those of all its cells together, since the order of runs is one
/// for all of them, as numbers of images and cells in z, y and x. A row's candidates are some of these, in that order;
/// the others are farther than the cutoff.
template <class Real, class Lanes>
struct find_near {
  using mask = typename Lanes::mask;
  using scratch = system_scratch<Real, Lanes>;
  using system = team_system<Real, Lanes>;

  /// More runs, and more images in a direction, are left to other builders.
  static constexpr int most_runs = 4096, most_reach = small_image::limit - 1;

  /// More than any scratch has room for.
  static constexpr int too_many = 1 << 20;

  scratch const& s;
  box<Real> const& sim_box;
  system const& own;

  /// How many there are, of which those are kept that there is room for.
  template <class Member>
  KOKKOS_FUNCTION int operator()(Member const& m) const {
    int const warps = m.team_size() / Lanes::size, warp = m.team_rank() / Lanes::size,
              lane = m.team_rank() % Lanes::size;
    auto const& grid = *own.grid;
    int lower[3], upper[3];
    for (int d = 0; d < 3; ++d) {
      lower[d] = -grid.reach[d];
      upper[d] = grid.cells[d] - 1 + grid.reach[d];
      if (grid.reach[d] > most_reach) return too_many;
    }
    candidate_runs<Real> const runs(grid, lower, upper);
    if (runs.count() > most_runs) return too_many;
    int const each = Kokkos::min(s.code_words() / warps, int(Lanes::size));
    int found = 0, turn = 0;
    for (int first = 0; first < runs.count(); first += Lanes::size) {
      int const r = first + lane;
      lane_runs<Lanes> const some(
          r < runs.count() ? runs(grid, starts_of_cells{s.cells->starts}, r) : candidate_run{0, 0, image(0, 0, 0)},
          lane);
      auto const shift = sim_box.shift(some.shift);
      int const words = internal::divide_up(some.all, Lanes::size);
      // A warp keeps what it finds until all warps know how many candidates come before theirs.
      for (int chunk = 0; chunk < words; chunk += warps * each, turn ^= 1) {
        int const n = Kokkos::min(words - chunk, warps * each);
        int const begin = chunk + n * warp / warps, end = chunk + n * (warp + 1) / warps;
        std::uint16_t* const codes = s.codes() + warp * each * Lanes::size;
        int const count = find(some, shift, begin, end, lane, codes);
        if (lane == 0) s.common->near[turn][warp] = count;
        m.team_barrier();
        int before = found;
        for (int w = 0; w < warps; ++w) {
          int const of = s.common->near[turn][w];
          if (w < warp) before += of;
          found += of;
        }
        keep(some, codes, count, lane, before);
      }
    }
    m.team_barrier();
    return found;
  }

 private:
  struct starts_of_cells {
    std::uint16_t const* first;
    KOKKOS_FUNCTION int place(int cell) const { return first[cell]; }
  };

  /// The near ones of a warp's words, by particle and run: how many there are.
  KOKKOS_FORCEINLINE_FUNCTION int find(lane_runs<Lanes> const& some, typename box<Real>::vector const& shift, int begin,
                                       int end, int lane, std::uint16_t* codes) const {
    int count = 0;
    Real const near_squared = own.grid->near_squared;
    flat_words<Lanes> walk(some, begin);
    UPSWEEP_NO_UNROLL
    for (int word = begin; word < end; ++word) {
      int const number = word * Lanes::size + lane, run = walk.run_in_next(word, lane);
      int const place = number + Lanes::shuffle(some.to_place, run);
      bool const is_there = number < some.all;
      int const particle = is_there ? s.cells->sorted[place] & 0xff : 0;
      Real from_middle[3];
      UPSWEEP_UNROLL
      for (int d = 0; d < 3; ++d) from_middle[d] = s.at[d][particle] + Lanes::shuffle(shift[d], run);
      mask const near = Lanes::ballot(is_there && own.around.is_near(from_middle, near_squared));
      if ((near >> lane & 1) != 0)
        codes[count + Lanes::popcount_below(near, lane)] = static_cast<std::uint16_t>(run << 8 | particle);
      count += Lanes::popcount(near);
    }
    return count;
  }

  /// Numbers them, from `before` on.
  KOKKOS_FORCEINLINE_FUNCTION void keep(lane_runs<Lanes> const& some, std::uint16_t const* codes, int count, int lane,
                                        int before) const {
    UPSWEEP_NO_UNROLL
    for (int first = 0; first < count; first += Lanes::size) {
      int const k = first + lane, code = k < count ? codes[k] : 0, particle = code & 0xff, number = before + k;
      image const shift = Lanes::shuffle(some.shift, code >> 8);
      if (k < count && number < s.room.candidates()) {
        s.index[number] = static_cast<std::uint8_t>(particle);
        s.images[number] = small_image(shift);
        if (shift == image(0, 0, 0)) s.self[particle] = static_cast<std::uint16_t>(number);
      }
    }
  }
};

}  // namespace upsweep::neighbors::detail
