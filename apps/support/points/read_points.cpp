// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "read_points.hpp"

#include "npy_numbers.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/extended_xyz.hpp>
#include <upsweep/io/lammps_data.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace apps {
namespace {

/// Sets the borders of an open box around all points.
void enclose(upsweep::particle_data& data) {
  data.periodic = {false, false, false};
  for (std::size_t d = 0; d < 3; ++d) {
    double lo = data.positions[d], hi = lo;
    for (std::size_t i = d; i < data.positions.size(); i += 3) {
      lo = std::min(lo, data.positions[i]);
      hi = std::max(hi, data.positions[i]);
    }
    // An open box owns what is below its upper border.
    double const around = 1e-9 * std::max({hi - lo, std::abs(lo), std::abs(hi), 1e-100});
    data.lo[d] = lo - around;
    data.hi[d] = hi + around;
  }
}

/// The same with our option where the library names its own, and with the formats that are read where the file may be
/// of another one.
upsweep::particle_data read_lammps(std::string const& input, std::string const& atom_style) {
  try {
    return upsweep::read_lammps_data(input, {.atom_style = atom_style});
  } catch (upsweep::input_error const& e) {
    std::string text = e.what();
    std::string const theirs = "atom_style of lammps_data_options", ours = "the option --atom-style";
    if (auto const at = text.rfind(theirs); at != std::string::npos) text.replace(at, theirs.size(), ours);
    for (auto const* of_other_files : {"unknown header line", "zero byte"})
      if (text.find(of_other_files) != std::string::npos) text += std::string("; ") + formats_read;
    throw upsweep::input_error(text);
  }
}

}  // namespace

upsweep::particle_data read_points_file(std::string const& input, std::string const& atom_style) {
  auto const format = points_format_of(input);
  if (format == points_format::lammps_data) return read_lammps(input, atom_style);
  if (format == points_format::extended_xyz) return upsweep::read_extended_xyz(input);
  upsweep::particle_data data;
  data.positions = read_npy_vectors(input);
  data.ids.resize(data.positions.size() / 3);
  std::iota(data.ids.begin(), data.ids.end(), std::int64_t(0));
  data.types.assign(data.ids.size(), 1);
  return data;
}

upsweep::particle_data read_points(points_options const& o) {
  auto data = read_points_file(o.input, o.atom_style);
  if (data.size() == 0) throw upsweep::input_error(o.input + ": no points (expected at least one)");
  if (o.has_box()) {
    data.lo = o.origin;
    for (std::size_t d = 0; d < 3; ++d) data.hi[d] = o.origin[d] + o.box[d];
    data.tilt = o.tilt;
  } else if (points_format_of(o.input) == points_format::npy) {
    enclose(data);
  }
  if (o.open[0] || o.open[1] || o.open[2])
    for (std::size_t d = 0; d < 3; ++d) data.periodic[d] = !o.open[d];
  return data;
}

upsweep::box<double> box_of_points(std::string const& name, upsweep::particle_data const& data) {
  try {
    return upsweep::box<double>::triclinic({data.lo[0], data.lo[1], data.lo[2]}, {data.hi[0], data.hi[1], data.hi[2]},
                                           {.xy = data.tilt[0], .xz = data.tilt[1], .yz = data.tilt[2]},
                                           {data.periodic[0], data.periodic[1], data.periodic[2]});
  } catch (upsweep::precondition_error const& e) {
    throw upsweep::input_error(name + ": " + e.what());
  }
}

}  // namespace apps
