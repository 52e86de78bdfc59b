# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  counts.cpp
  every_size.cpp
  kernels.cpp
  lockstep.cpp
  lockstep_lanes.cpp
  more_items.cpp
  team_scans.cpp
  warp_sums.cpp
)
