# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  collectives.cpp
  halo.cpp
  main.cpp
  migration.cpp
  options.cpp
  redistribution.cpp
  scan.cpp
  session.cpp
  sort.cpp
  states.cpp
)
