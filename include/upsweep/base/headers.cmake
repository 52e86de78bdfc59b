# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  headers
  access_count.hpp
  allocate.hpp
  available_memory.hpp
  byte_layout.hpp
  call_options.hpp
  compensated_plus.hpp
  concepts.hpp
  cpu_range.hpp
  detail/workspace_memory.hpp
  element_chunk.hpp
  error.hpp
  error_word.hpp
  fetch.hpp
  index.hpp
  index_policy.hpp
  instruction_set.hpp
  kokkos_compat.hpp
  label.hpp
  lanes.hpp
  monoid.hpp
  optional_view.hpp
  overlap.hpp
  reproducible_plus.hpp
  scratch_copies.hpp
  segmented.hpp
  sequence.hpp
  state_monoid.hpp
  temporary_memory.hpp
  workspace.hpp
)
