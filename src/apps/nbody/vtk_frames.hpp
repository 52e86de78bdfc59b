// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "trajectory_format.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace nbody {

/// The list of frames, which ParaView opens: melt.vtk.series for melt.vtk.
std::filesystem::path vtk_series(std::string const& name);

/// Writes a frame as points with velocity, type and id, in VTK's legacy binary format, to the file of its step
/// (numbered_files.hpp). Collective.
void write_vtk_frame(upsweep::mpi::communicator const& comm, std::string const& name, frame const& f);

/// Writes the list of frames. Collective.
void write_vtk_series(upsweep::mpi::communicator const& comm, std::string const& name,
                      std::vector<std::int64_t> const& frames, double dt);

}  // namespace nbody
