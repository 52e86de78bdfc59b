// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/particle_data.hpp>

#include <filesystem>
#include <string>

namespace upsweep {

/// Options of read_lammps_data.
struct lammps_data_options {
  /// The atom style as LAMMPS' command atom_style takes it: "full", "tdpd 3", "hybrid charge sphere". Needed where the
  /// file does not name its style behind `Atoms #`. Empty: the file's. A file that names another style is refused.
  std::string atom_style = {};
};

/// Reads a LAMMPS data file, plain or gzip: `particle_data p = read_lammps_data("melt.data", {.atom_style = "full"});`
/// Header keywords and sections may come in any order, atoms too; the title line, comments and blank lines are skipped.
/// All atom styles of LAMMPS of July 2026 are read: id, type, position and image flags, and charge, radius (sphere,
/// bpm/sphere, and the kernel radius of smd) and molecule where the style has them. Types may be labels of the sections
/// Atom Type Labels and Bond Type Labels. Velocities, Masses and Bonds are read; other sections of LAMMPS, and
/// columns of the style that is named, are skipped and named; all others, those of fixes too, are refused by name.
/// `xy xz yz` gives a tilted box; general triclinic boxes (`avec`) are refused.
/// A file without a style is read only where its first atom can be of no other, hybrid ones included: as atomic with 5
/// columns, as molecular with 6 and full with 7 (9 and 10 with image flags) where the second column cannot be a type.
/// Numbers have a decimal point in any locale; too small ones are zero; too large ones, nan and inf are refused.
/// Cost: one pass; memory grows with the data seen, never with what a header claims. A million blank lines are refused.
/// Order: particles come in ascending order of the file's ids.
/// Throws: input_error "file:line: message (what was expected)", and for an atom_style that LAMMPS does not have;
/// damaged gzip data are refused wherever the damage is.
particle_data read_lammps_data(std::filesystem::path const& path, lammps_data_options const& options = {});

}  // namespace upsweep
