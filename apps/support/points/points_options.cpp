// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "points_options.hpp"

#include <filesystem>

namespace apps {

points_format points_format_of(std::string const& name) {
  std::filesystem::path path(name);
  if (path.extension() == ".npy") return points_format::npy;
  if (path.extension() == ".gz") path.replace_extension();
  bool const is_xyz = path.extension() == ".xyz" || path.extension() == ".extxyz";
  return is_xyz ? points_format::extended_xyz : points_format::lammps_data;
}

}  // namespace apps
