// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "points_options.hpp"

#include <upsweep/io/particle_data.hpp>
#include <upsweep/neighbors/box.hpp>

#include <string>

namespace apps {

/// The particles of a LAMMPS data, extended XYZ or NumPy file. A NumPy file has positions (n, 3): ids are rows from 0,
/// types 1, and there is no box. Local. Throws: input_error naming the file.
upsweep::particle_data read_points_file(std::string const& input, std::string const& atom_style);

/// The points that options ask for, in the box of the file or of the options; a NumPy file without a box gets an open
/// one just around its points. Local. Throws: input_error naming the file, for one without points, too.
upsweep::particle_data read_points(points_options const& o);

/// The box of particles. name: their file, for the message. Throws: input_error where it is none.
upsweep::box<double> box_of_points(std::string const& name, upsweep::particle_data const& data);

}  // namespace apps
