// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/box.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace nbody {

/// Formats of trajectories: extended XYZ and LAMMPS' text dumps, with all frames in one file; VTK, one file per frame;
/// H5MD, one file per checkpoint.
enum class trajectory_format { none, xyz, lammps, vtk, h5md };

/// The format that the name's suffix asks for: .xyz and .extxyz, .dump and .lammpstrj, .vtk, .h5 and .h5md; none for
/// any other.
trajectory_format format_of(std::string const& name);

/// Whether a trajectory of this format is more than one file (numbered_files.hpp), beside the one that shows them all.
inline bool has_several_files(trajectory_format format) {
  return format == trajectory_format::vtk || format == trajectory_format::h5md;
}

/// One frame, of which this rank has the particles of ids first, first + 1, ...
struct frame {
  std::int64_t step;
  double time;
  std::int64_t particles;  ///< of all ranks
  upsweep::box<double> box;
  std::int64_t first;
  std::span<double const> positions;  ///< three per particle
  std::span<double const> velocities;
  std::span<int const> edges;  ///< of the box, that wrapping has taken off; three per particle
  std::span<double const> masses;
  std::span<std::int32_t const> types;
  std::map<std::int32_t, std::string> species{};  ///< names of types
};

/// The three edges of a box, a row each.
std::array<double, 9> edges_of(upsweep::box<double> const& box);

/// The lines of a frame before its rows, and this rank's rows. Numbers have the digits that it takes to read the same
/// value back.
std::string xyz_head(frame const& f);
std::string xyz_rows(frame const& f);
std::string lammps_head(frame const& f);
std::string lammps_rows(frame const& f);

}  // namespace nbody
