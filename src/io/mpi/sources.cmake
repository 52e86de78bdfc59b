# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  file_transfer.cpp
  growing_file.cpp
  lammps_data.cpp
  npy_file.cpp
  parallel_file.cpp
  parallel_reader.cpp
)
