# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  lists.cpp
  molecular_dynamics.cpp
  ranks.cpp
  scans.cpp
  selections.cpp
)
