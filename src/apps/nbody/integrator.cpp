// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "integrator.hpp"

#include "components.hpp"

#include <cstddef>

namespace nbody {
namespace {

/// With fused multiply-adds that are spelled out, so that all compilers give the same bits.
template <bool Drift>
struct verlet {
  vectors positions, velocities, forces;
  scalars masses;
  double dt;
  KOKKOS_FUNCTION void operator()(std::size_t i, int d) const {
    double const v = Kokkos::fma(0.5 * dt / masses(i), forces(i, d), velocities(i, d));
    velocities(i, d) = v;
    if constexpr (Drift) positions(i, d) = Kokkos::fma(dt, v, positions(i, d));
  }
};

}  // namespace

void kick_and_drift(space_type const& space, atoms const& a, vectors const& forces, double dt) {
  for_each_component<3>("upsweep-nbody::kick_and_drift", space, a.size(),
                        verlet<true>{a.positions, a.velocities, forces, a.masses, dt});
}

void kick(space_type const& space, atoms const& a, vectors const& forces, double dt) {
  for_each_component<3>("upsweep-nbody::kick", space, a.size(),
                        verlet<false>{a.positions, a.velocities, forces, a.masses, dt});
}

}  // namespace nbody
