// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

namespace nbody {

/// The pair of --pair own. Change these two functions and build again: no other file has to change. r2 is the squared
/// distance over sigma^2, and epsilon is 1. force_over_r is the force divided by the distance, -(de/dr) / r, and is
/// positive where particles repel each other. Library functions such as Kokkos::exp may differ in last bits between
/// machines; trajectories then differ, too.
///
/// As shipped: spheres that repel each other like springs where they overlap, with e = (1 - r)^2 / 2 for r < 1.
struct own_law {
  KOKKOS_FORCEINLINE_FUNCTION static double force_over_r(double r2) {
    double const r = Kokkos::sqrt(r2);
    return r < 1 ? (1 - r) / r : 0.0;
  }
  KOKKOS_FORCEINLINE_FUNCTION static double energy(double r2) {
    double const r = Kokkos::sqrt(r2);
    return r < 1 ? 0.5 * (1 - r) * (1 - r) : 0.0;
  }
};

}  // namespace nbody
