# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  cut_files.cpp
  lammps_data.cpp
  npy_file.cpp
  parallel_files.cpp
)
