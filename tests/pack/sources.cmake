# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  compact.cpp
  contracts_of_moving.cpp
  cpu_moves.cpp
  equalize.cpp
  flags.cpp
  histogram.cpp
  in_place.cpp
  kept_lists.cpp
  lists_again.cpp
  load_balance.cpp
  lockstep_histogram.cpp
  lockstep_sort.cpp
  lockstep_unique_rows.cpp
  marks.cpp
  merge_runs.cpp
  pack_lists.cpp
  pack_ranges.cpp
  pack_strategies.cpp
  partition.cpp
  pending_errors.cpp
  permutation.cpp
  reduce_by_key.cpp
  row_kernels.cpp
  row_tiles.cpp
  runs.cpp
  selection.cpp
  sort.cpp
  sort_calls.cpp
  sort_copy.cpp
  sort_ranges.cpp
  sort_single_pass.cpp
  sort_teams.cpp
  unique_rows.cpp
)
