// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../measurements/averages_record.hpp"
#include "../measurements/thermo_row.hpp"
#include "../trajectory/trajectory_record.hpp"

#include <upsweep/io/mpi/lammps_data.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nbody {

/// The start of a run: every rank has an even range of ids, wherever they are in the box.
struct run_start {
  upsweep::mpi::particle_piece particles;
  std::int64_t step = 0;
  std::string not_used;  ///< names of what the file has and the simulation does not use; on rank 0
  std::map<std::int32_t, std::string> species;  ///< names of types, where the file has them
  bool has_masses = true;                       ///< whether the file gives masses; else all are 1. On rank 0

  // Filled by a restart alone. `particles` then has the positions at the last rebuild of the list.
  std::vector<double> positions;    ///< those at `step`
  std::optional<thermo_row> first;  ///< of the run that was interrupted
  std::optional<trajectory_record> trajectory;
  std::optional<rdf_record> rdf;
  std::vector<msd_row> msd;
  std::vector<double> msd_reference;
};

}  // namespace nbody
