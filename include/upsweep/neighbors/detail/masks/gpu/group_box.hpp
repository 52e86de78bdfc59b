// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid/candidate_runs.hpp>
#include <upsweep/neighbors/image.hpp>

namespace upsweep::neighbors::detail {

/// What surrounds some points, of which the lanes of a warp have one each, or none, or several.
template <class Real, class Lanes>
struct warp_bounds {
  static constexpr Real infinite = internal::largest_value<Real>;
  Real lo[3] = {infinite, infinite, infinite}, hi[3] = {-infinite, -infinite, -infinite};

  KOKKOS_FORCEINLINE_FUNCTION void add(Real const (&at)[3]) {
    UPSWEEP_UNROLL
    for (int d = 0; d < 3; ++d) {
      lo[d] = Kokkos::fmin(lo[d], at[d]);
      hi[d] = Kokkos::fmax(hi[d], at[d]);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(warp_bounds const& other) {
    UPSWEEP_UNROLL
    for (int d = 0; d < 3; ++d) {
      lo[d] = Kokkos::fmin(lo[d], other.lo[d]);
      hi[d] = Kokkos::fmax(hi[d], other.hi[d]);
    }
  }
  /// Then each lane has the bounds of all.
  KOKKOS_FORCEINLINE_FUNCTION void meet() {
    UPSWEEP_UNROLL
    for (int bit = 1; bit < Lanes::size; bit *= 2)
      for (int d = 0; d < 3; ++d) {
        lo[d] = Kokkos::fmin(lo[d], Lanes::shuffle_xor(lo[d], bit));
        hi[d] = Kokkos::fmax(hi[d], Lanes::shuffle_xor(hi[d], bit));
      }
  }
};

/// Around the particles of a group: knows which candidates may be within the cutoff of one of them.
template <class Real, class Lanes>
struct group_box {
  using vector = typename box<Real>::vector;
  Real middle[3], half[3];

  KOKKOS_FORCEINLINE_FUNCTION static group_box around(warp_bounds<Real, Lanes> const& of_all) {
    group_box result;
    for (int d = 0; d < 3; ++d) {
      Real const lo = of_all.lo[d], hi = of_all.hi[d];
      result.middle[d] = lo + (hi - lo) / 2;
      result.half[d] = Kokkos::fmax(result.middle[d] - lo, hi - result.middle[d]);
    }
    return result;
  }

  /// What takes a candidate in this image to where it is from the middle.
  KOKKOS_FORCEINLINE_FUNCTION vector way_from_middle(box<Real> const& sim_box, image im) const {
    vector way = {-middle[0], -middle[1], -middle[2]};
    if (im == image(0, 0, 0)) return way;
    vector const shift = sim_box.shift(im);
    for (int d = 0; d < 3; ++d) way[d] += shift[d];
    return way;
  }

  /// Whether a candidate is near one of the group. near_squared is generous: it covers what is rounded here.
  KOKKOS_FORCEINLINE_FUNCTION bool is_near(Real const (&at)[3], vector const& way, Real near_squared) const {
    return is_near({at[0] + way[0], at[1] + way[1], at[2] + way[2]}, near_squared);
  }
  /// The same of one that is there from the middle.
  KOKKOS_FORCEINLINE_FUNCTION bool is_near(Real const (&from_middle)[3], Real near_squared) const {
    return squared_beyond(from_middle) <= near_squared;
  }
  /// Whether is_near is false for whatever is within these bounds: sums and products are rounded alike for borders and
  /// for what is between them.
  KOKKOS_FORCEINLINE_FUNCTION bool is_far(warp_bounds<Real, Lanes> const& bounds, vector const& way,
                                          Real near_squared) const {
    Real nearest[3];
    UPSWEEP_UNROLL
    for (int d = 0; d < 3; ++d) {
      Real const from = bounds.lo[d] + way[d], to = bounds.hi[d] + way[d];
      nearest[d] = from > 0 ? from : to < 0 ? to : Real(0);
    }
    return squared_beyond(nearest) > near_squared;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Real squared_beyond(Real const (&from_middle)[3]) const {
    Real beyond[3];
    UPSWEEP_UNROLL
    for (int d = 0; d < 3; ++d) beyond[d] = Kokkos::fmax(Kokkos::fabs(from_middle[d]) - half[d], Real(0));
    return Kokkos::fma(beyond[2], beyond[2], Kokkos::fma(beyond[1], beyond[1], beyond[0] * beyond[0]));
  }
};

}  // namespace upsweep::neighbors::detail
