# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  headers
  agree.hpp
  bisect.hpp
  communicator.hpp
  detail/add_rows.hpp
  detail/bisection_search.hpp
  detail/bisection_tree.hpp
  detail/exchange_bytes.hpp
  detail/gather_states.hpp
  detail/ghost_images.hpp
  detail/halo_counts.hpp
  detail/halo_lists.hpp
  detail/halo_plan.hpp
  detail/host_copy.hpp
  detail/listed_rows.hpp
  detail/monoid_parameters.hpp
  detail/positions.hpp
  detail/row_route.hpp
  detail/rows.hpp
  detail/scan_call.hpp
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
  redistribute.hpp
  redistribute_rows.hpp
  reduce.hpp
)
