// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "thermostat.hpp"

#include "../measurements/exact_plus.hpp"
#include "components.hpp"
#include "noise.hpp"

#include <upsweep/mpi/reduce.hpp>
#include <upsweep/scan/reduce.hpp>

#include <algorithm>
#include <cmath>

namespace nbody {
namespace {

/// Half a kick, half a drift, friction and noise for a whole step, half a drift (Leimkuhler and Matthews' BAOAB). Fused
/// multiply-adds are spelled out, so that all compilers give the same bits.
struct langevin_step {
  vectors positions, velocities, forces;
  scalars masses;
  id_view ids;
  type_view types;
  neighbor_positions moved;
  double dt, kept, noise;
  bool owes_half_kick;
  std::uint64_t seed;
  std::int64_t step;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const stream = noise_stream(seed, step, ids(i));
    auto const xy = normal_pair(stream, 0), zw = normal_pair(stream, 2);
    double const xi[3] = {xy.first, xy.second, zw.first};
    double const half_kick = 0.5 * dt / masses(i), size = noise / Kokkos::sqrt(masses(i));
    for (int d = 0; d < 3; ++d) {
      double v = velocities(i, d);
      if (owes_half_kick) v = Kokkos::fma(half_kick, forces(i, d), v);
      v = Kokkos::fma(half_kick, forces(i, d), v);
      double const middle = Kokkos::fma(0.5 * dt, v, positions(i, d));
      v = Kokkos::fma(size, xi[d], kept * v);
      velocities(i, d) = v;
      double const x = Kokkos::fma(0.5 * dt, v, middle);
      positions(i, d) = x;
      moved.set(i, d, x);
    }
    moved.set(i, 3, padded_type(types(i)));
  }
};

struct scale_velocity {
  vectors velocities;
  double factor;
  KOKKOS_FUNCTION void operator()(std::size_t i, int d) const { velocities(i, d) *= factor; }
};

struct twice_kinetic {
  vectors velocities;
  scalars masses;
  KOKKOS_FUNCTION exact_plus::value_type operator()(std::size_t i) const {
    double const x = velocities(i, 0), y = velocities(i, 1), z = velocities(i, 2);
    return exact_plus::sum{}.lift(masses(i) * Kokkos::fma(z, z, Kokkos::fma(y, y, x * x)));
  }
};

/// The sum of n squares of standard normal numbers, n = 2 shape: twice a number of the gamma distribution of this
/// shape. By rejection, after Marsaglia and Tsang (2000). Pre: shape is 1/2 or more. Takes numbers of the stream from
/// `at` on. Here, too, fused multiply-adds are spelled out, and no function of the C library rounds differently.
double sum_of_squares(double shape, std::uint64_t stream, std::uint64_t at) {
  if (shape < 1) {
    double const u = uniform_number(apps::splitmix(stream + at));
    return sum_of_squares(shape + 1, stream, at + 2) * portable_exp(portable_log(u) / shape);
  }
  double const d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;; at += 4) {
    double const x = normal_pair(stream, at).first, root = std::fma(c, x, 1.0), v = root * root * root;
    if (v <= 0) continue;
    double const u = uniform_number(apps::splitmix(stream + at + 2));
    if (portable_log(u) < std::fma(0.5 * x, x, d * (1 - v + portable_log(v)))) return 2 * d * v;
  }
}

}  // namespace

double langevin_noise(double kept, double temperature) { return std::sqrt(temperature * std::fma(-kept, kept, 1.0)); }

double rescaling_factor(double kept, double freedom, double target, std::uint64_t stream) {
  double const first = normal_pair(stream, 0).first;
  double const others = freedom > 1 ? sum_of_squares(0.5 * (freedom - 1), stream, 2) : 0;
  double const given = std::fma((1 - kept) * target, std::fma(first, first, others), kept);
  double const squared = std::fma(2 * first, std::sqrt(kept * (1 - kept) * target), given);
  double const sign = first + std::sqrt(kept / ((1 - kept) * target)) < 0 ? -1 : 1;
  return sign * std::sqrt(std::max(squared, 0.0));
}

thermostat::thermostat(upsweep::mpi::communicator const& comm, space_type const& space, options const& o,
                       std::int64_t particles)
    : comm_(comm),
      space_(space),
      workspace_(space),
      langevin_(o.thermostat == "langevin"),
      rescales_(o.thermostat == "rescale"),
      dt_(o.dt),
      temperature_(o.thermostat_temperature),
      freedom_(3 * static_cast<double>(particles) - 3),
      seed_(o.seed) {
  if (!langevin_ && !rescales_) return;
  kept_ = portable_exp(-dt_ / o.thermostat_time);
  noise_ = langevin_noise(kept_, temperature_);
}

void thermostat::kick_and_drift(atoms const& a, vectors const& forces, std::int64_t step, velocity_state before,
                                neighbor_positions const& moved) const {
  if (!langevin_) {
    nbody::kick_and_drift(space_, a, forces, dt_, before, moved);
    return;
  }
  Kokkos::parallel_for("upsweep-nbody::langevin", particles(space_, a.size()),
                       langevin_step{a.positions, a.velocities, forces, a.masses, a.ids, a.types, moved, dt_, kept_,
                                     noise_, before == velocity_state::owes_half_kick, seed_, step});
}

double thermostat::twice_kinetic_energy(atoms const& a) {
  return exact_plus::sum{}.lower(upsweep::mpi::reduce(
      comm_,
      [&] {
        return upsweep::reduce(space_, a.size(), twice_kinetic{a.velocities, a.masses}, exact_plus{},
                               {.workspace = &workspace_, .label = "upsweep-nbody"});
      },
      exact_plus{}));
}

void thermostat::rescale(atoms const& a, std::int64_t step) {
  if (!(freedom_ > 0)) return;
  double const energy = twice_kinetic_energy(a);
  if (!(energy > 0)) return;  // all velocities are 0, whatever the factor
  double const factor = rescaling_factor(kept_, freedom_, temperature_ / energy, noise_stream(seed_, step, -1));
  for_each_component<3>("upsweep-nbody::rescale", space_, a.size(), scale_velocity{a.velocities, factor});
}

}  // namespace nbody
