# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  describe.cpp
  main.cpp
  options.cpp
  results.cpp
  sizes.cpp
)
