# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  extended_xyz.cpp
  lammps_data.cpp
  lammps_data_errors.cpp
  lammps_sections.cpp
  lammps_styles.cpp
  locales.cpp
  npy.cpp
  npy_view.cpp
  replace_file.cpp
  sort_by_id.cpp
)
