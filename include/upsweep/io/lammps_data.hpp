// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/particle_data.hpp>

#include <filesystem>

namespace upsweep {

/// Reads a LAMMPS data file, plain or gzip: `particle_data p = read_lammps_data("melt.data.gz");`
/// Header keywords and sections may come in any order, atoms too; the title line, comments and blank lines are skipped;
/// sections about coefficients and bonds are counted and skipped. The atom style is taken from `Atoms # style`; without
/// that it is found from the columns of the first atom, where they leave no choice.
/// `xy xz yz` gives a tilted box; general triclinic boxes (`avec`) are refused.
/// Cost: one pass; memory grows with the data seen, never with what a header claims.
/// Order: particles come in ascending order of the file's ids.
/// Throws: input_error "file:line: message (what was expected)".
particle_data read_lammps_data(std::filesystem::path const& path);

}  // namespace upsweep
