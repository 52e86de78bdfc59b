# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  atoms.cpp
  averages.cpp
  checkpoint.cpp
  checkpoint_header.cpp
  checksum.cpp
  forces.cpp
  h5md_file.cpp
  h5md_frames.cpp
  half_forces.cpp
  hdf5_handle.cpp
  health.cpp
  integrator.cpp
  list_output.cpp
  main.cpp
  maxwell.cpp
  memory.cpp
  msd.cpp
  neighbors.cpp
  npy_start.cpp
  numbered_files.cpp
  options.cpp
  outputs.cpp
  pair_coefficients.cpp
  pair_table.cpp
  progress.cpp
  rdf.cpp
  report.cpp
  rows_by_id.cpp
  simulation.cpp
  sorted_rows.cpp
  start.cpp
  state_hash.cpp
  table_forces.cpp
  text.cpp
  thermo.cpp
  thermostat.cpp
  trajectory.cpp
  trajectory_files.cpp
  trajectory_format.cpp
  vtk_frames.cpp
)
