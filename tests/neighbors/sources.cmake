# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  after_errors.cpp
  agreement.cpp
  at_the_cutoff.cpp
  batched_classes.cpp
  batches.cpp
  box.cpp
  box_of_edges.cpp
  brute_force.cpp
  check_particles.cpp
  choose_classes.cpp
  combinations.cpp
  cpu_hits.cpp
  dense_groups.cpp
  for_each_neighbor.cpp
  host_list.cpp
  hostile.cpp
  last_bits_of_edges.cpp
  lists_of_any_edges.cpp
  lockstep_masks.cpp
  lockstep_small_lists.cpp
  lockstep_sort_rows.cpp
  max_neighbors.cpp
  memory.cpp
  metamorphic.cpp
  narrow_kernels.cpp
  narrowed_list.cpp
  narrowed_refusals.cpp
  nearest_hits.cpp
  needs_rebuild.cpp
  neighbor_list.cpp
  pair_values.cpp
  pairs_of_ase.cpp
  particle_groups.cpp
  properties.cpp
  refused_batches.cpp
  row_order.cpp
  rule_corners.cpp
  size_classes.cpp
  sliced_list.cpp
  uncontracted.cpp
  updated_lists.cpp
)
