# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  density.cpp
  formats.cpp
  mesh_checks.cpp
  options.cpp
  topology.cpp
)
