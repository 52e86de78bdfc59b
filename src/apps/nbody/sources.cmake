# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  atoms.cpp
  forces.cpp
  half_forces.cpp
  health.cpp
  integrator.cpp
  list_output.cpp
  main.cpp
  maxwell.cpp
  memory.cpp
  neighbors.cpp
  options.cpp
  report.cpp
  simulation.cpp
  sorted_rows.cpp
  start.cpp
  state_hash.cpp
  text.cpp
  thermo.cpp
)
