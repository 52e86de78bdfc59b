# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  checkpoint.cpp
  config_reader.cpp
  forces.cpp
  h5md.cpp
  half_forces.cpp
  integrator.cpp
  maxwell.cpp
  neighbor_positions.cpp
  npy_start.cpp
  options.cpp
  pairs.cpp
  points_outside.cpp
  progress.cpp
  standard_output.cpp
  thermostat.cpp
)
