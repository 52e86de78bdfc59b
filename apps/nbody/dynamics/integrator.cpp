// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "integrator.hpp"

#include "components.hpp"

#include <cstddef>

namespace nbody {
namespace {

// With fused multiply-adds that are spelled out, so that all compilers give the same bits.

struct kick_velocity {
  vectors velocities, forces;
  scalars masses;
  double dt;
  KOKKOS_FUNCTION void operator()(std::size_t i, int d) const {
    velocities(i, d) = Kokkos::fma(0.5 * dt / masses(i), forces(i, d), velocities(i, d));
  }
};

/// On GPUs a component a thread, so that neighbouring threads write neighbouring components, and whole rows of `moved`,
/// of 32 bytes: of a row that is not written whole the rest is read first. On CPUs a particle at a time: its three
/// components are one vector.
struct kick_and_move {
  vectors positions, velocities, forces;
  scalars masses;
  type_view types;
  neighbor_positions moved;
  double dt;
  bool owes_half_kick;

  KOKKOS_FUNCTION void operator()(std::size_t i, int d) const {
    if (d == 3) {
      moved.set(i, 3, padded_type(types(i)));
      return;
    }
    double const v = kicked(i, d, 0.5 * dt / masses(i)), x = Kokkos::fma(dt, v, positions(i, d));
    store(i, d, v, x);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    auto const i = static_cast<std::size_t>(row);
    double const half_kick = 0.5 * dt / masses(i);
    double v[3], x[3];
    for (int d = 0; d < 3; ++d) v[d] = kicked(i, d, half_kick);
    for (int d = 0; d < 3; ++d) x[d] = Kokkos::fma(dt, v[d], positions(i, d));
    for (int d = 0; d < 3; ++d) store(i, d, v[d], x[d]);
    moved.set(i, 3, padded_type(types(i)));
  }

 private:
  KOKKOS_FUNCTION double kicked(std::size_t i, int d, double half_kick) const {
    double v = velocities(i, d);
    if (owes_half_kick) v = Kokkos::fma(half_kick, forces(i, d), v);
    return Kokkos::fma(half_kick, forces(i, d), v);
  }
  KOKKOS_FUNCTION void store(std::size_t i, int d, double v, double x) const {
    velocities(i, d) = v;
    positions(i, d) = x;
    moved.set(i, d, x);
  }
};

}  // namespace

void kick_and_drift(space_type const& space, atoms const& a, vectors const& forces, double dt, velocity_state before,
                    neighbor_positions const& moved) {
  static constexpr char const* label = "upsweep-nbody::kick_and_drift";
  kick_and_move const kernel{a.positions, a.velocities, forces, a.masses,
                             a.types,     moved,        dt,     before == velocity_state::owes_half_kick};
  if constexpr (upsweep::compat::is_gpu<space_type>) for_each_component<4>(label, space, a.size(), kernel);
  else Kokkos::parallel_for(label, particles(space, a.size()), kernel);
}

void kick(space_type const& space, atoms const& a, vectors const& forces, double dt) {
  for_each_component<3>("upsweep-nbody::kick", space, a.size(), kick_velocity{a.velocities, forces, a.masses, dt});
}

}  // namespace nbody
