# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  forces.cpp
  half_forces.cpp
  pair_coefficients.cpp
  pair_table.cpp
  table_forces.cpp
)
