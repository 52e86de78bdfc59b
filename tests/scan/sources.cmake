# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  batched.cpp
  counts_to_offsets.cpp
  cpu_engine.cpp
  cpu_kernels.cpp
  cpu_reduction.cpp
  cpu_segment_kernels.cpp
  engines.cpp
  first_calls.cpp
  for_each.cpp
  initial_value.cpp
  lockstep_prefixes.cpp
  lockstep_reduction.cpp
  lockstep_run_sums.cpp
  lockstep_runs.cpp
  lockstep_scan.cpp
  lockstep_segmented.cpp
  lockstep_selection.cpp
  numerics.cpp
  pipelined.cpp
  pipelined_segments.cpp
  protocol.cpp
  reduce.cpp
  reserve_scan.cpp
  sanitize.cpp
  scans.cpp
  segmented.cpp
  segmented_reduce.cpp
  segmented_tiles.cpp
  stress.cpp
  striped_selection.cpp
  throwing.cpp
)
