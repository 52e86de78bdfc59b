# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  h5md_file.cpp
  h5md_frames.cpp
  hdf5_handle.cpp
  numbered_files.cpp
  trajectory.cpp
  trajectory_files.cpp
  trajectory_format.cpp
  vtk_frames.cpp
)
