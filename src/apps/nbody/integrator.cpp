// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "integrator.hpp"

namespace nbody {
namespace {

/// With fused multiply-adds that are spelled out, so that all compilers give the same bits.
template <bool Drift>
struct verlet {
  vectors positions, velocities, forces;
  scalars masses;
  double dt;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    double const half = 0.5 * dt / masses(i);
    for (int d = 0; d < 3; ++d) {
      double const v = Kokkos::fma(half, forces(i, d), velocities(i, d));
      velocities(i, d) = v;
      if constexpr (Drift) positions(i, d) = Kokkos::fma(dt, v, positions(i, d));
    }
  }
};

}  // namespace

void kick_and_drift(space_type const& space, atoms const& a, vectors const& forces, double dt) {
  Kokkos::parallel_for("upsweep-nbody::kick_and_drift", particles(space, a.size()),
                       verlet<true>{a.positions, a.velocities, forces, a.masses, dt});
}

void kick(space_type const& space, atoms const& a, vectors const& forces, double dt) {
  Kokkos::parallel_for("upsweep-nbody::kick", particles(space, a.size()),
                       verlet<false>{a.positions, a.velocities, forces, a.masses, dt});
}

}  // namespace nbody
