# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  hits.cpp
  hits_avx2.cpp
  hits_avx512.cpp
  hits_portable.cpp
  lists_double.cpp
  lists_float.cpp
  pairs_double.cpp
  pairs_float.cpp
)
