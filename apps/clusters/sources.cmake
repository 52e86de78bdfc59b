# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  catalogue.cpp
  friends.cpp
  groups.cpp
  label_directory.cpp
  main.cpp
  options.cpp
  points.cpp
  report.cpp
  run.cpp
  unwrap.cpp
)
