# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  headers
  extended_xyz.hpp
  lammps_data.hpp
  npy.hpp
  particle_data.hpp
  replace_file.hpp
  size_limit_guard.hpp
)
