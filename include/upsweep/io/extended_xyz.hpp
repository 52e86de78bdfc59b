// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/particle_data.hpp>

#include <filesystem>

namespace upsweep {

/// Reads the last frame of an extended XYZ file, plain or gzip: `particle_data p = read_extended_xyz("melt.xyz");`
/// The second line of a frame must have Lattice="..." with a along x and b in the x-y plane, and may have Origin="..."
/// and Properties=...; pbc="T T F" opens the box in z, without it all directions are periodic. The column pos is
/// needed. velo, vel or velocities, mass or masses, type, id and map_shift are read, other keys and columns skipped and
/// named. Without type, names of species are numbered in the order in which they appear; without type and species, all
/// particles are of type 1. Without id, particles count from 1.
/// Cost: one pass over all frames; memory grows with the data seen, never with what a line claims.
/// Order: particles come in ascending order of ids.
/// Throws: input_error "file:line: message (what was expected)".
particle_data read_extended_xyz(std::filesystem::path const& path);

}  // namespace upsweep
