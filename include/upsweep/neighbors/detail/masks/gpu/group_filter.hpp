// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/neighbors/detail/masks/distance_filter.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// Tests of a group's particles in single precision (distance_filter.hpp), by one warp: each lane holds N candidates,
/// the particles pass by one after the other, and ballots are the words of hits. Coordinates are from an origin near
/// the group.
template <class Lanes>
struct group_filter {
  /// A particle: -2 of its coordinates, and what is left of the squared cutoff.
  struct alignas(16) point {
    float x, y, z, most;

    KOKKOS_FORCEINLINE_FUNCTION static point of(float const (&from)[3], float square, double cutoff_squared) {
      return {-2 * from[0], -2 * from[1], -2 * from[2],
              static_cast<float>(cutoff_squared - static_cast<double>(square))};
    }
    /// One that is near nothing.
    KOKKOS_FORCEINLINE_FUNCTION static point none() { return {0, 0, 0, -internal::largest_value<float>}; }
  };

  KOKKOS_FORCEINLINE_FUNCTION static float square_of(float const (&x)[3]) {
    return Kokkos::fma(x[2], x[2], Kokkos::fma(x[1], x[1], x[0] * x[0]));
  }
  /// The largest distance of all lanes, from their squares.
  KOKKOS_FORCEINLINE_FUNCTION static float reach_of(float square) { return largest_of(Kokkos::sqrt(square)); }
  KOKKOS_FORCEINLINE_FUNCTION static float largest_of(float of_lane) {
    UPSWEEP_UNROLL
    for (int bit = 1; bit < Lanes::size; bit *= 2) of_lane = Kokkos::fmax(of_lane, Lanes::shuffle_xor(of_lane, bit));
    return of_lane;
  }

  /// The candidates of a lane.
  template <int N>
  struct held {
    float at[N][3], square[N];
    float most = 0;   ///< of the squares
    float shift = 0;  ///< sum of the sizes of all shifts

    template <class Real>
    KOKKOS_FORCEINLINE_FUNCTION void set(int u, Real const (&from)[3]) {
      UPSWEEP_UNROLL
      for (int d = 0; d < 3; ++d) at[u][d] = static_cast<float>(from[d]);
      square[u] = square_of(at[u]);
      most = Kokkos::fmax(most, square[u]);
    }
    /// There is no candidate u.
    KOKKOS_FORCEINLINE_FUNCTION void remove(int u) {
      at[u][0] = at[u][1] = at[u][2] = 0;
      square[u] = Kokkos::Experimental::infinity_v<float>;
    }
  };

  /// hits[u]: those of the lane's own particle among candidates u of all lanes. False where single precision does not
  /// decide about all. `at` has a multiple of Together points; reach: of the particles from the origin, at most.
  template <class Real, int Together, int N>
  KOKKOS_FORCEINLINE_FUNCTION static bool test(point const* at, int particles, float reach, double cutoff_squared,
                                               held<N> const& c, int lane, std::uint32_t (&hits)[N]) {
    float nearest = Kokkos::Experimental::infinity_v<float>;  // to the cutoff
    UPSWEEP_NO_UNROLL
    for (int first = 0; first < particles; first += Together) {
      UPSWEEP_UNROLL
      for (int i = first; i < first + Together; ++i) {
        point const a = at[i];
        std::uint32_t in[N];
        UPSWEEP_UNROLL
        for (int u = 0; u < N; ++u) {
          float const beyond =
              Kokkos::fma(a.x, c.at[u][0], Kokkos::fma(a.y, c.at[u][1], Kokkos::fma(a.z, c.at[u][2], c.square[u]))) -
              a.most;
          in[u] = Lanes::ballot(beyond <= 0);
          nearest = Kokkos::fmin(nearest, Kokkos::fabs(beyond));
        }
        if (lane == i) {
          UPSWEEP_UNROLL
          for (int u = 0; u < N; ++u) hits[u] = in[u];
        }
      }
    }
    return decides<Real>(nearest, reach, cutoff_squared, 0, c);
  }

  /// Whether single precision decides about all pairs, of which what is computed is not nearer to 0 than `nearest`.
  /// limits: of rules, as filter_extent has it.
  template <class Real, int N>
  KOKKOS_FORCEINLINE_FUNCTION static bool decides(float nearest, float reach, double cutoff_squared, double limits,
                                                  held<N> const& c) {
    filter_extent const extent{1.000001 * (static_cast<double>(reach) + static_cast<double>(Kokkos::sqrt(c.most))),
                               static_cast<double>(c.shift), cutoff_squared, limits};
    return Lanes::all(fits_in_floats(extent) && static_cast<double>(nearest) > distance_error_bound<Real>(extent));
  }
};

}  // namespace upsweep::neighbors::detail
