// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "types.hpp"

#include <upsweep/io/mpi/lammps_data.hpp>

#include <cstddef>

namespace nbody {

/// The particles of this rank's brick, on the device.
struct atoms {
  vectors positions;  ///< wrapped at each rebuild of the list, free in between
  vectors velocities;
  scalars masses;
  id_view ids;  ///< 0-based

  std::size_t size() const { return ids.extent(0); }
};

/// Copies a piece of the start to the device.
atoms to_device(space_type const& space, upsweep::mpi::particle_piece const& piece);

}  // namespace nbody
