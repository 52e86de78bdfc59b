# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  headers
  agree.hpp
  communicator.hpp
  compact.hpp
  detail/count_on_ranks.hpp
  detail/exchange_bytes.hpp
  detail/gather_states.hpp
  detail/halo_plan.hpp
  detail/host_copy.hpp
  detail/listed_rows.hpp
  detail/monoid_parameters.hpp
  detail/move_ranges.hpp
  detail/pending_records.hpp
  detail/positions.hpp
  detail/redistribute_shares.hpp
  detail/row_route.hpp
  detail/row_shares.hpp
  detail/rows.hpp
  detail/scan_call.hpp
  detail/sort_call.hpp
  detail/splitters.hpp
  detail/transfer_buffers.hpp
  detail/transfer_cache.hpp
  detail/without_memory.hpp
  domain.hpp
  exclusive_offset.hpp
  exclusive_scan.hpp
  gpu_aware.hpp
  halo.hpp
  inclusive_scan.hpp
  internal/all_or_none_checked.hpp
  internal/fingerprint.hpp
  migrate.hpp
  pack_lists.hpp
  partition.hpp
  rank_count.hpp
  redistribute.hpp
  redistribute_evenly.hpp
  redistribute_rows.hpp
  reduce.hpp
  sort.hpp
  start_scan.hpp
)
