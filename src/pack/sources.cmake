# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  cpu_moves.cpp
  cpu_moves_avx2.cpp
  cpu_moves_avx512.cpp
  cpu_rows.cpp
  cpu_rows_avx2.cpp
  cpu_rows_avx512.cpp
  cpu_rows_portable.cpp
  lists_packing.cpp
  pack_memory.cpp
  row_errors.cpp
)
