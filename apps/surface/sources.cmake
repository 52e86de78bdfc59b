# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  density.cpp
  extract.cpp
  inputs.cpp
  main.cpp
  measure.cpp
  options.cpp
  report.cpp
  write_mesh.cpp
)
