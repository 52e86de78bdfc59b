# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  byte_source.cpp
  cut_file.cpp
  extended_xyz.cpp
  file_place.cpp
  lammps_bonds.cpp
  lammps_data.cpp
  lammps_header.cpp
  lammps_labels.cpp
  lammps_records.cpp
  lammps_sections.cpp
  lammps_style.cpp
  lammps_style_table.cpp
  line_reader.cpp
  npy.cpp
  part_file.cpp
  replace_file.cpp
  sort_by_id.cpp
  xyz_columns.cpp
)
