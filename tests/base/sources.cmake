# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  available_memory.cpp
  base.cpp
  bounds_check.cpp
  cpu_range.cpp
  fetch.cpp
  fork_time.cpp
  into_and_from.cpp
  mailbox.cpp
  printable.cpp
  resident_teams.cpp
  text_of.cpp
  version.cpp
)
