# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  bisect.cpp
  communicator.cpp
  counts_to_offsets.cpp
  device_memory.cpp
  device_transport.cpp
  domain.cpp
  exchange.cpp
  functions_of_callers.cpp
  halo.cpp
  halo_in_two_steps.cpp
  histogram.cpp
  many_ranks.cpp
  migrate.cpp
  migration.cpp
  mpi_errors.cpp
  mpi_text.cpp
  nccl.cpp
  options.cpp
  pack_lists.cpp
  peer.cpp
  redistribute.cpp
  redistribute_evenly.cpp
  redistribution.cpp
  reduce.cpp
  reduce_by_key.cpp
  reproducible.cpp
  scan.cpp
  segmented_scan.cpp
  selection.cpp
  sort.cpp
  staged_messages.cpp
  staging.cpp
  step_ranges.cpp
  totals.cpp
  transport.cpp
  triclinic.cpp
  triclinic_errors.cpp
  unique.cpp
)
