// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "lennard_jones.hpp"

#include <type_traits>

namespace nbody {

// A particle's force must not depend on the order of its neighbours, which differs between decompositions, nor on how
// the sum is cut into lanes; then trajectories are the same bits on any number of ranks. So each component of a pair's
// force is rounded to a multiple of a spacing before it is added, and the spacing is such that the sums are exact.
//
// Let u >= 1 be a power of two and g = 2^-40 u the spacing. Doubles have 53 bits: every multiple of g of size up to
// 2^53 g = 2^13 u is a double.
// 1. Rounding. Let |f| <= 2^11 u, f a product that is not rounded, and m = 1.5 * 2^12 u. Then f + m lies in [2^12 u,
//    2^13 u], where doubles are g apart. So f + m, computed by one fused multiply-add, is a multiple of g, and so is
//    q = (f + m) - m, which is exact because |q| <= 2^11 u. q is f rounded to the grid. Beyond 2^11 u (not 2^12 u) this
//    fails: f + m leaves the binade on one side.
// 2. Sums. Let the sum of all |q| of one component be below 2^13 u. Then every partial sum, in any order and
//    association, is a multiple of g below 2^13 u, so it is a double and the addition exact.
// 3. The test of 2. Let s be the computed sum of max(|qx|, |qy|, |qz|) over the pairs, S the exact one. Where
//    S < 2^13 u, s is S by 2. Where S >= 2^13 u, s >= 2^13 u: additions of numbers >= 0 are exact below 2^13 u, and
//    rounding is monotone and keeps 2^13 u. So s < 2^13 u is true or false in every order alike, and s bounds the sums
//    of 2.
// 4. The test of 1. The force of a pair at distance r is repulsive and falls with r up to r = (26/7)^(1/6) = 1.2445,
//    and its size is below 2.4 beyond its zero at r = 1.1225. So the nearest neighbour bounds the force of every pair:
//    by max(F(nearest), 2.5). Each grid has a least distance (closest2): a grid holds all pairs exactly where it holds
//    the nearest one. Rounding errors of F (a few 2^-53 of it) are covered by the margins of the limits below.
// 5. The choice. u is the smallest power of two for which 1 and 2 hold by these tests. It is a function of the set of
//    neighbours, and so is the force. Nearly every row passes at u = 1 by a bound that costs one minimum a pair: number
//    of neighbours times the bound of 4 is below 2^13. Others are summed again, with the tests.
// The two particles of a pair may round its force to different grids, by less than the larger of the two spacings.
//
// The rounding costs 2 % of the force loop, on an H200 and on CPUs; 2^-40 is 1e-14 of a strong force. u = 1 suffices
// for pairs down to a distance of 0.75, where the force is 1841.

/// The product a b, a component of a pair's force, rounded once, to a multiple of 2^-40 unit. Real: double, or several
/// at once.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real product_on_force_grid(Real a, Real b, double unit) {
  double const magic = 1.5 * 0x1p12 * unit;
  return upsweep::fma(a, b, Real{} + magic) - magic;
}

/// What one pass over a row finds: the sums of three components, and a fourth number that the pass defines.
using row_sum = Kokkos::Array<double, 4>;

/// The squared distance of the nearest neighbour, in a pass on the finest grid.
struct nearest2 {
  static constexpr double unit = 1;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real join(Real a, Real b) {
    return b < a ? b : a;
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real of(Real r2, Real, Real, Real) {
    return r2;
  }
};

/// Joins partial sums whose fourth number is nearest2.
struct force_and_nearest {
  using value_type = row_sum;
  KOKKOS_FORCEINLINE_FUNCTION row_sum identity() const { return {0, 0, 0, 1e300}; }
  KOKKOS_FORCEINLINE_FUNCTION row_sum operator()(row_sum const& a, row_sum const& b) const {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2], nearest2::join(a[3], b[3])};
  }
};

/// s of 3.
struct size_of_terms {
  double unit;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real join(Real a, Real b) {
    return a + b;
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real of(Real, Real fx, Real fy, Real fz) {
    Real const x = size(fx), y = size(fy), z = size(fz);
    Real const xy = x < y ? y : x;
    return xy < z ? z : xy;
  }

 private:
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real size(Real f) {
    if constexpr (std::is_same_v<Real, double>) return Kokkos::abs(f);
    else return f < 0.0 ? -f : f;
  }
};

/// The squared size of the force of a pair at this squared distance.
KOKKOS_FORCEINLINE_FUNCTION double force2(double r2) {
  double const f = lennard_jones::force_over_r(1.0 / r2);
  return f * f * r2;
}

/// Whether the bound of 5 holds at u = 1. Four neighbours at least, so that no single force is above 2^11.
KOKKOS_FORCEINLINE_FUNCTION bool fits_finest_grid(double nearest, double neighbors) {
  constexpr double limit2 = 8184.0 * 8184.0, attraction2 = 2.5 * 2.5;
  double const count2 = neighbors < 4 ? 16 : neighbors * neighbors;
  return force2(nearest) * count2 <= limit2 && attraction2 * count2 <= limit2;
}

/// The smallest squared distance whose force the grid of a unit holds, up to rounding: the force is 2047 units there or
/// a little less, so 2046 of fits_finest_grid is farther away, and 2048 of 1 nearer. For larger units it is 2^(-2/13)
/// times that of half of the unit, since the force is at most 48 r^-13.
KOKKOS_INLINE_FUNCTION double closest2(double unit) {
  if (unit == 1) return 0.55376;
  double least = 0.56138;
  for (double u = 1; u < unit; u *= 2) least *= 0.89886;
  return least;
}

/// Nearer pairs have no finite force, or one beyond 1e149.
inline constexpr double nearest_of_all2 = 2e-23;

/// The smallest unit whose grid holds every pair's force, by 4; 0 where the nearest pair has no force that can be used.
KOKKOS_INLINE_FUNCTION double unit_for_pairs(double nearest) {
  if (!(nearest >= nearest_of_all2)) return 0;
  double unit = 1;
  while (nearest < closest2(unit)) unit *= 2;
  return unit;
}

/// The force of a row in the first three numbers. `first` was summed on the finest grid and has the nearest neighbour;
/// sized_pass(unit) sums on the grid of unit, with s. NaN where unit_for_pairs has no unit: particles at one place.
template <class Sized>
KOKKOS_FORCEINLINE_FUNCTION row_sum force_of_row(row_sum const& first, double neighbors, Sized const& sized_pass) {
  if (fits_finest_grid(first[3], neighbors)) return first;
  // s is at most 2^11 unit times the number of neighbours, so a few doublings end this.
  for (double unit = unit_for_pairs(first[3]); unit > 0; unit *= 2) {
    row_sum const sum = sized_pass(unit);
    if (sum[3] < 0x1p13 * unit) return sum;
  }
  double const none = Kokkos::Experimental::quiet_NaN_v<double>;
  return {none, none, none, 0};
}

}  // namespace nbody
