# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  batch_no_space.cpp
  batch_positions_type.cpp
  const_output.cpp
  control.cpp
  counts_type.cpp
  engine_of_packing.cpp
  fast_math.cpp
  flag_type.cpp
  flags_unmarked.cpp
  init_conversion.cpp
  init_narrowing.cpp
  init_rank.cpp
  init_type.cpp
  list_no_space.cpp
  list_not_compiled.cpp
  list_positions_type.cpp
  monoid_lower.cpp
  monoid_state.cpp
  narrow_output.cpp
  no_space.cpp
  now_and_at_build.cpp
  number_of_pair.cpp
  pack_functor.cpp
  pairs_no_space.cpp
  pairs_not_compiled.cpp
  pairs_positions_type.cpp
  positions_rank.cpp
  precise_type.cpp
  rank_2_input.cpp
  scan_functor.cpp
  segment_offsets.cpp
  sort_key_type.cpp
  team_items.cpp
  total_type.cpp
  updated_positions_type.cpp
)
