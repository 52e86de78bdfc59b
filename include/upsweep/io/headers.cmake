# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  headers
  extended_xyz.hpp
  internal/byte_pieces.hpp
  internal/npy_pieces.hpp
  internal/view_pieces.hpp
  lammps_data.hpp
  npy.hpp
  npy_view.hpp
  particle_data.hpp
  replace_file.hpp
  size_limit_guard.hpp
)
