# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  npy_numbers.cpp
  points_options.cpp
  points_outside.cpp
  points_words.cpp
  read_points.cpp
)
