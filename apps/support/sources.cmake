# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  gnuplot.cpp
  kokkos_options.cpp
  missing_fma.cpp
  npy_numbers.cpp
  output_folder.cpp
  output_paths.cpp
  output_words.cpp
  points_options.cpp
  points_words.cpp
  progress.cpp
  read_points.cpp
  require_own_output.cpp
  standard_output.cpp
)
