# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  arithmetic_scans.cpp
  batched_scans.cpp
  flagged_selections.cpp
  in_place.cpp
  main.cpp
  ordered_scans.cpp
  packings.cpp
  reductions.cpp
  runs.cpp
  scans_for_each.cpp
  segment_reductions.cpp
  segmented_matrix_scans.cpp
  segmented_scans.cpp
  selections.cpp
  sorts.cpp
  trial.cpp
  unique_rows.cpp
)
