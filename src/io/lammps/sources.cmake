# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  lammps_bonds.cpp
  lammps_data.cpp
  lammps_header.cpp
  lammps_labels.cpp
  lammps_records.cpp
  lammps_sections.cpp
  lammps_style.cpp
  lammps_style_table.cpp
)
