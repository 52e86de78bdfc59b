# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  headers
  access_count.hpp
  available_memory.hpp
  call_options.hpp
  compensated_plus.hpp
  concepts.hpp
  detail/workspace_memory.hpp
  error.hpp
  fetch.hpp
  internal/allocate.hpp
  internal/always_granted.hpp
  internal/byte_layout.hpp
  internal/count_access.hpp
  internal/cpu_range.hpp
  internal/element_chunk.hpp
  internal/error_word.hpp
  internal/fetch.hpp
  internal/fork_time.hpp
  internal/guided_tickets.hpp
  internal/index.hpp
  internal/index_policy.hpp
  internal/instruction_set.hpp
  internal/label.hpp
  internal/lanes.hpp
  internal/limits.hpp
  internal/memory_reach.hpp
  internal/monoid_call.hpp
  internal/overlap.hpp
  internal/require.hpp
  internal/require_reachable.hpp
  internal/saturating_plus.hpp
  internal/scratch_copies.hpp
  internal/sequence.hpp
  internal/state_monoid.hpp
  internal/temporary_memory.hpp
  kokkos_compat.hpp
  monoid.hpp
  optional_view.hpp
  reproducible_plus.hpp
  segmented.hpp
  workspace.hpp
)
