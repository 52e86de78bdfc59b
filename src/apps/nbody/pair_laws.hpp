// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "lennard_jones.hpp"

namespace nbody {

// Laws of pairs for --pair: functions of the squared distance, for epsilon = sigma = 1. The coefficients of two types
// scale them: the energy is epsilon e(r / sigma). own_pair.hpp has one more, which users change.

/// 4 (r^-12 - r^-6).
struct lennard_jones_law {
  KOKKOS_FORCEINLINE_FUNCTION static double force_over_r(double r2) { return lennard_jones::force_over_r(1.0 / r2); }
  KOKKOS_FORCEINLINE_FUNCTION static double energy(double r2) { return lennard_jones::energy(1.0 / r2); }
};

/// Soft spheres: r^-12.
struct soft_sphere_law {
  KOKKOS_FORCEINLINE_FUNCTION static double force_over_r(double r2) {
    double const r2_inverse = 1.0 / r2;
    return 12.0 * energy(r2) * r2_inverse;
  }
  KOKKOS_FORCEINLINE_FUNCTION static double energy(double r2) {
    double const r2_inverse = 1.0 / r2, r6_inverse = r2_inverse * r2_inverse * r2_inverse;
    return r6_inverse * r6_inverse;
  }
};

}  // namespace nbody
