# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  base.cpp
  batched.cpp
  counts_to_offsets.cpp
  lists.cpp
  moving.cpp
  mpi.cpp
  neighbors.cpp
  rows.cpp
  scan.cpp
  segmented.cpp
  sort.cpp
  team.cpp
  using_lists.cpp
)
