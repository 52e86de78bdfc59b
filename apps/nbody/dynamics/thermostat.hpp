// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../atoms.hpp"
#include "../neighbor_positions.hpp"
#include "../options.hpp"
#include "integrator.hpp"

#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <cstdint>

namespace nbody {

/// The integrator of a step: Langevin's, or velocity Verlet with or without a rescaling thermostat. Random numbers are
/// functions of seed, step and id, so trajectories have the same bits on any number of ranks and across a restart.
class thermostat {
 public:
  /// Copies the communicator; no messages.
  thermostat(upsweep::mpi::communicator const& comm, space_type const& space, options const& o, std::int64_t particles);

  /// The part of a step before the new forces: as nbody::kick_and_drift, with Langevin's friction and noise in the
  /// middle of the drift.
  void kick_and_drift(atoms const& a, vectors const& forces, std::int64_t step, velocity_state before,
                      neighbor_positions const& moved) const;

  /// Whether the thermostat is "rescale".
  bool rescales() const { return rescales_; }
  /// The part of a step after the second half of the kick: multiplies all velocities by one factor. Pre: rescales().
  /// Collective.
  void rescale(atoms const& a, std::int64_t step);

 private:
  double twice_kinetic_energy(atoms const& a);

  upsweep::mpi::communicator comm_;
  space_type space_;
  upsweep::workspace workspace_;
  bool langevin_, rescales_;
  double dt_, temperature_, freedom_;
  std::uint64_t seed_;
  double kept_ = 1;   ///< the factor exp(-dt / time), of velocities or of kinetic energy
  double noise_ = 0;  ///< standard deviation for a particle of mass 1
};

/// The standard deviation of Langevin's noise for a particle of mass 1. kept: the part of velocities that friction
/// leaves in a step, exp(-dt / time). The same bits on all machines, as is the next one.
double langevin_noise(double kept, double temperature);

/// The factor of velocities in one step of the thermostat of Bussi, Donadio and Parrinello (2007), eq. A7: the kinetic
/// energy is drawn from the canonical distribution, and keeps the part `kept` of what it was.
/// freedom: degrees of freedom; target: the kinetic energy of one degree of freedom that is wanted, divided by the
/// present kinetic energy.
double rescaling_factor(double kept, double freedom, double target, std::uint64_t stream);

}  // namespace nbody
