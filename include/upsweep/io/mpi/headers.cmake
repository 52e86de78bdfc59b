# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  headers
  growing_file.hpp
  lammps_data.hpp
  npy_file.hpp
  parallel_file.hpp
  parallel_reader.hpp
)
