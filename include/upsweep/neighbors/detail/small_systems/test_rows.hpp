// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/gpu/intrinsics.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/grid/binned_particles.hpp>
#include <upsweep/neighbors/detail/grid/unmeasured_systems.hpp>
#include <upsweep/neighbors/detail/masks/distance_filter.hpp>
#include <upsweep/neighbors/detail/masks/gpu/group_filter.hpp>
#include <upsweep/neighbors/detail/small_systems/small_systems.hpp>
#include <upsweep/neighbors/detail/small_systems/system_scratch.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// Tests all particles of a system against the candidates near it, by a team. A lane has up to four rows, and a warp
/// has 32 candidates at a time, which all lanes read one after the other: a test is three fused products and a sum,
/// whose sign is shifted into the row's word. Distances are single precision (distance_filter.hpp). Where one is too
/// close to the cutoff, the warp tests that row's word again as a list defines distances, a candidate in each lane.
template <class Real, class Lanes>
struct test_rows {
  using vector = typename box<Real>::vector;
  using scratch = system_scratch<Real, Lanes>;
  using system = team_system<Real, Lanes>;
  using filter = group_filter<Lanes>;
  using point = typename filter::point;

  unmeasured_systems<Real> const& batch;
  scratch const& s;
  system const& own;
  int candidates;

  /// The words of hits. A particle itself is among them.
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    if (own.count <= Lanes::size) test<1>(m);
    else if (own.count <= 2 * Lanes::size) test<2>(m);
    else test<4>(m);
  }

 private:
  static constexpr int unrolled = 8;

  template <int Rows, class Member>
  KOKKOS_FORCEINLINE_FUNCTION void test(Member const& m) const {
    int const warps = m.team_size() / Lanes::size, warp = m.team_rank() / Lanes::size,
              lane = m.team_rank() % Lanes::size;
    auto const& sim_box = batch.boxes[own.number];
    double const cutoff_squared = static_cast<double>(batch.cutoff_squared);
    float const undecided = largest_error();
    point row[Rows];
    UPSWEEP_UNROLL
    for (int r = 0; r < Rows; ++r) {
      int const i = r * Lanes::size + lane;
      row[r] = point::none();
      if (i < own.count) {
        float const from[3] = {static_cast<float>(s.at[0][i]), static_cast<float>(s.at[1][i]),
                               static_cast<float>(s.at[2][i])};
        row[r] = point::of(from, filter::square_of(from), cutoff_squared);
      }
    }
    point* const at = s.points[warp].at;
    UPSWEEP_NO_UNROLL
    for (int word = warp; word * Lanes::size < candidates; word += warps) {
      at[lane] = rounded(sim_box, word * Lanes::size + lane);
      Lanes::sync();
      std::uint32_t hits[Rows] = {};
      float nearest[Rows];  // to the cutoff
      UPSWEEP_UNROLL
      for (int r = 0; r < Rows; ++r) nearest[r] = Kokkos::Experimental::infinity_v<float>;
      // From the last one on: the first one ends in the lowest bit.
      UPSWEEP_NO_UNROLL
      for (int last = Lanes::size; last > 0; last -= unrolled) {
        UPSWEEP_UNROLL
        for (int k = 1; k <= unrolled; ++k) {
          point const c = at[last - k];  // `most` is its square
          UPSWEEP_UNROLL
          for (int r = 0; r < Rows; ++r) {
            float const beyond =
                Kokkos::fma(row[r].x, c.x, Kokkos::fma(row[r].y, c.y, Kokkos::fma(row[r].z, c.z, c.most))) -
                row[r].most;
            hits[r] = internal::append_sign(hits[r], beyond);
            nearest[r] = Kokkos::fmin(nearest[r], Kokkos::fabs(beyond));
          }
        }
      }
      Lanes::sync();
      UPSWEEP_UNROLL
      for (int r = 0; r < Rows; ++r) {
        int const i = r * Lanes::size + lane;
        compare_undecided(sim_box, Lanes::ballot(i < own.count && !(nearest[r] > undecided)), r * Lanes::size, word,
                          lane, hits[r]);
        if (i < own.count) s.hits[i * s.room.stride() + word] = hits[r];
      }
    }
  }

  /// A candidate as tests take it, with its square. Where there is none, one that is near nothing.
  KOKKOS_FORCEINLINE_FUNCTION point rounded(box<Real> const& sim_box, int number) const {
    if (number >= candidates) return {0, 0, 0, Kokkos::Experimental::infinity_v<float>};
    int const i = s.index[number];
    auto const shift = sim_box.shift(s.images[number].wide());
    float const c[3] = {static_cast<float>(s.at[0][i] + shift[0]), static_cast<float>(s.at[1][i] + shift[1]),
                        static_cast<float>(s.at[2][i] + shift[2])};
    return {c[0], c[1], c[2], filter::square_of(c)};
  }

  /// What is computed and is not above this decides nothing. Of a candidate near the system a component is at most half
  /// of the system's size and the distance that is near; its shift leads there from within the system. The factor is
  /// for all that is rounded on the way.
  KOKKOS_FORCEINLINE_FUNCTION float largest_error() const {
    double const near = Kokkos::sqrt(static_cast<double>(own.grid->near_squared));
    double of_rows = 0, of_candidates = 0, shift = 0;
    for (int d = 0; d < 3; ++d) {
      double const half = static_cast<double>(own.around.half[d]);
      of_rows += half * half;
      of_candidates += (half + near) * (half + near);
      shift += 2 * half + near;
    }
    filter_extent const extent{1.00001 * (Kokkos::sqrt(of_rows) + Kokkos::sqrt(of_candidates)), 1.00001 * shift,
                               static_cast<double>(batch.cutoff_squared)};
    if (!fits_in_floats(extent)) return Kokkos::Experimental::infinity_v<float>;
    return static_cast<float>(1.000001 * distance_error_bound<Real>(extent));
  }

  /// The word of each of these lanes' rows, of which lane 0 has the first one.
  KOKKOS_FORCEINLINE_FUNCTION void compare_undecided(box<Real> const& sim_box, typename Lanes::mask lanes,
                                                     int first_row, int word, int lane, std::uint32_t& hits) const {
    UPSWEEP_NO_UNROLL
    for (; lanes != 0; lanes &= lanes - 1) {
      int const of = Lanes::lowest_set_bit(lanes);
      auto const in =
          static_cast<std::uint32_t>(Lanes::ballot(is_hit(sim_box, first_row + of, word * Lanes::size + lane)));
      if (lane == of) hits = in;
    }
  }
  KOKKOS_FUNCTION bool is_hit(box<Real> const& sim_box, int i, int number) const {
    if (number >= candidates) return false;
    vector const a = sim_box.wrap(batch.positions(own.first + i)),
                 b = sim_box.wrap(batch.positions(own.first + s.index[number])),
                 shift = sim_box.shift(s.images[number].wide());
    return binned_particles<Real>::length_squared((b[0] - a[0]) + shift[0], (b[1] - a[1]) + shift[1],
                                                  (b[2] - a[2]) + shift[2]) <= batch.cutoff_squared;
  }
};

}  // namespace upsweep::neighbors::detail
