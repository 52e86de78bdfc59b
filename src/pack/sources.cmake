# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  cpu_kernels_avx2.cpp
  cpu_kernels_avx512.cpp
  cpu_kernels_portable.cpp
  cpu_moves.cpp
  cpu_rows.cpp
  lists_packing.cpp
  pack_memory.cpp
  row_errors.cpp
)
