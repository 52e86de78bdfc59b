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

/// Whether a file is the frame of this step, which this program has written. Local.
bool is_vtk_frame(std::filesystem::path const& file, std::int64_t step);

/// Whether the list of frames, if there is one, names these frames first, or some of the first of them and no others.
/// Local.
bool is_vtk_series_of(std::string const& name, std::vector<std::int64_t> const& frames);

/// Writes the list of frames; without frames only over an older list. Collective; throws on all ranks alike.
void write_vtk_series(upsweep::mpi::communicator const& comm, std::string const& name,
                      std::vector<std::int64_t> const& frames, double dt);

}  // namespace nbody
