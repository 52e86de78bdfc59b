// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "lennard_jones.hpp"

namespace nbody {

// Laws of pairs for --pair: functions of the squared distance, for epsilon = sigma = 1. The coefficients of two types
// scale them: the energy is epsilon e(r / sigma). own_pair.hpp has one more, which users change. Real: double, or
// several at once where a law says takes_lanes.

template <class Law>
concept law_of_lanes = requires { requires Law::takes_lanes; };

/// 4 (r^-12 - r^-6).
struct lennard_jones_law {
  static constexpr bool takes_lanes = true;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real force_over_r(Real r2) {
    return lennard_jones::force_over_r(Real(1.0 / r2));
  }
  KOKKOS_FORCEINLINE_FUNCTION static double energy(double r2) { return lennard_jones::energy(1.0 / r2); }
};

/// Soft spheres: r^-12.
struct soft_sphere_law {
  static constexpr bool takes_lanes = true;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real force_over_r(Real r2) {
    Real const r2_inverse = 1.0 / r2, r6_inverse = r2_inverse * r2_inverse * r2_inverse;
    return 12.0 * (r6_inverse * r6_inverse) * r2_inverse;
  }
  KOKKOS_FORCEINLINE_FUNCTION static double energy(double r2) {
    double const r2_inverse = 1.0 / r2, r6_inverse = r2_inverse * r2_inverse * r2_inverse;
    return r6_inverse * r6_inverse;
  }
};

}  // namespace nbody
