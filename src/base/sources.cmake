# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  allocate.cpp
  available_memory.cpp
  cpu_range.cpp
  error.cpp
  error_word.cpp
  index.cpp
  instruction_set.cpp
  label.cpp
  mailbox.cpp
  overlap.cpp
  printable.cpp
  require.cpp
  require_reachable.cpp
  temporary_memory.cpp
  version.cpp
  workspace.cpp
  workspace_memory.cpp
)
