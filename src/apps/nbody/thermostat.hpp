// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "atoms.hpp"
#include "options.hpp"

#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <cstdint>

namespace nbody {

/// Keeps a temperature, or nothing: then the energy is constant. What is random is a function of seed, step and id, so
/// trajectories have the same bits on any number of ranks, and go on from a checkpoint.
class thermostat {
 public:
  /// Collective: numbers that depend on a library's functions are those of rank 0.
  thermostat(upsweep::mpi::communicator const& comm, space_type const& space, options const& o, std::int64_t particles);

  /// The part of a step before the new forces: half a kick, and the drift, with Langevin's friction and noise in its
  /// middle.
  void kick_and_drift(atoms const& a, vectors const& forces, std::int64_t step) const;

  /// The part behind the second half of the kick: velocities times one factor. Collective where it does something.
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
  double noise_ = 0;  ///< size of the noise of a particle of mass 1
};

/// The factor of velocities in one step of the thermostat of Bussi, Donadio and Parrinello (2007): the kinetic energy
/// is drawn from the canonical distribution, with a memory of it that fades by `kept` a step. Their eq. A7.
/// freedom: degrees of freedom; target: the kinetic energy wanted over the present one, over freedom.
double rescaling_factor(double kept, double freedom, double target, std::uint64_t stream);

}  // namespace nbody
