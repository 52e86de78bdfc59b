// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/particle_data.hpp>

#include <filesystem>

namespace upsweep {

/// Reads a LAMMPS data file, plain or gzip: `particle_data p = read_lammps_data("melt.data.gz");`
/// Header keywords and sections may come in any order, atoms too; the title line, comments and blank lines are skipped;
/// sections about coefficients and bonds are counted and skipped. `xy xz yz` gives a tilted box; general triclinic
/// boxes (`avec`) are refused, and so are the styles hybrid, body and tdpd, whose columns vary.
/// The atom style is taken from `Atoms # style`. Without it, the first atom's columns must fit one style only: 5, 6, 7
/// and 10 columns may do, more columns and atomic with image flags need the name. The styles whose columns vary must be
/// named.
/// Numbers have a decimal point in any locale; too small ones are zero; too large ones, nan and inf are refused.
/// Cost: one pass; memory grows with the data seen, never with what a header claims. A million blank lines are refused.
/// Order: particles come in ascending order of the file's ids.
/// Throws: input_error "file:line: message (what was expected)"; damaged gzip data are refused wherever the damage is.
particle_data read_lammps_data(std::filesystem::path const& path);

}  // namespace upsweep
