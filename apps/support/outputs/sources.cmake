# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  gnuplot.cpp
  output_folder.cpp
  output_paths.cpp
  require_own_output.cpp
  standard_output.cpp
)
