// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/neighbor_lanes.hpp>

namespace nbody {

/// The Lennard-Jones pair, epsilon = sigma = 1, cut at the cutoff.
struct lennard_jones {
  double cutoff2;
  double shift = 0;  ///< subtracted from energies

  /// Force over distance, whatever the cutoff. Real: double, or several at once. With a fused multiply-add that is
  /// spelled out and nothing else to fuse, so that all compilers give the same bits.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real force_over_r(Real r2_inverse) {
    Real const r4_inverse = r2_inverse * r2_inverse;
    return 48.0 * (r4_inverse * r2_inverse) * upsweep::fma(r4_inverse, r2_inverse, Real{} - 0.5) * r2_inverse;
  }
  KOKKOS_FORCEINLINE_FUNCTION static double energy(double r2_inverse) {
    double const r6_inverse = r2_inverse * r2_inverse * r2_inverse;
    return 4.0 * r6_inverse * (r6_inverse - 1.0);
  }
};

/// The pair with this cutoff. shifted: the energy is zero at the cutoff, so it does not jump where pairs cross it.
inline lennard_jones make_pair_potential(double cutoff, bool shifted) {
  double const cutoff2 = cutoff * cutoff;
  return {cutoff2, shifted ? lennard_jones::energy(1 / cutoff2) : 0.0};
}

}  // namespace nbody
