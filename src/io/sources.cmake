# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  byte_source.cpp
  cut_file.cpp
  extended_xyz.cpp
  file_place.cpp
  line_reader.cpp
  npy.cpp
  part_file.cpp
  replace_file.cpp
  sort_by_id.cpp
  xyz_columns.cpp
)
