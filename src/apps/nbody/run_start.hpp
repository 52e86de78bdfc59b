// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "averages_record.hpp"
#include "thermo_row.hpp"
#include "trajectory_record.hpp"

#include <upsweep/io/mpi/lammps_data.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace nbody {

/// What a run begins with: every rank has an even range of ids, wherever they are in the box.
struct run_start {
  upsweep::mpi::particle_piece particles;
  std::int64_t step = 0;

  // Of a restart alone. The positions of `particles` are then those at the last rebuild of the list.
  std::vector<double> positions;    ///< at the step
  std::optional<thermo_row> first;  ///< of the run that was interrupted
  std::optional<trajectory_record> trajectory;
  std::optional<rdf_record> rdf;
  std::vector<msd_row> msd;
  std::vector<double> msd_reference;
};

}  // namespace nbody
