# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  compact_without_space.cpp
  const_counts_of_histogram.cpp
  const_keys.cpp
  const_output.cpp
  const_output_of_compact.cpp
  const_values_of_rows.cpp
  control.cpp
  count_of_compact.cpp
  count_of_runs.cpp
  counts_of_partition.cpp
  counts_type.cpp
  engine_of_packing.cpp
  fast_math.cpp
  flag_type.cpp
  flags_unmarked.cpp
  init_conversion.cpp
  init_narrowing.cpp
  init_rank.cpp
  init_type.cpp
  list_not_compiled.cpp
  lists_without_space.cpp
  monoid_lower.cpp
  monoid_state.cpp
  narrow_output.cpp
  no_space.cpp
  pack_functor.cpp
  pairs_not_compiled.cpp
  permutation_type.cpp
  positions_rank.cpp
  precise_type.cpp
  rank_2_input.cpp
  scan_functor.cpp
  segment_offsets.cpp
  sort_key_type.cpp
  sort_without_space.cpp
  team_items.cpp
  total_type.cpp
)
