# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  atoms.cpp
  early_end.cpp
  main.cpp
  options.cpp
  outputs.cpp
  report.cpp
  simulation.cpp
  text.cpp
)
