# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  dear_launches.cpp
  functions_of_callers.cpp
  host_threads.cpp
  neighbor_options.cpp
  numbers.cpp
  pack_options.cpp
  scan_options.cpp
  scans.cpp
  sort.cpp
  unreachable_views.cpp
)
