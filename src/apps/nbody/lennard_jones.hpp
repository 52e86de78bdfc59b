// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

namespace nbody {

/// The Lennard-Jones pair, epsilon = sigma = 1, cut at the cutoff without a shift.
struct lennard_jones {
  double cutoff2;

  /// Force over distance; zero beyond the cutoff. Real: double, or several at once.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real force_over_r(Real r2_inverse) {
    Real const r6_inverse = r2_inverse * r2_inverse * r2_inverse;
    return 48.0 * r6_inverse * (r6_inverse - 0.5) * r2_inverse;
  }
  KOKKOS_FORCEINLINE_FUNCTION static double energy(double r2_inverse) {
    double const r6_inverse = r2_inverse * r2_inverse * r2_inverse;
    return 4.0 * r6_inverse * (r6_inverse - 1.0);
  }
};

/// Rounds a component of a pair's force to a multiple of 2^-40. Sums of such numbers below 2^13 are exact in double, so a
/// particle's force does not depend on the order of its neighbours, which differs between decompositions, nor on how the
/// sum is cut into lanes: trajectories are the same bits on any number of ranks. Forces beyond 2^12 keep their double's
/// rounding instead, and lose this. Costs 25 % of the force loop; 2^-40 is 1e-14 of a strong force.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real on_force_grid(Real f) {
  constexpr double magic = 1.5 * 0x1p52 * 0x1p-40;
  return (f + magic) - magic;
}

}  // namespace nbody
