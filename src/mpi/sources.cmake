# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  agree.cpp
  announce_rows.cpp
  communicator.cpp
  count_on_ranks.cpp
  domain.cpp
  exclusive_offset.cpp
  gather_states.cpp
  mpi_text.cpp
  range_of_ranks.cpp
  row_shares.cpp
  sum_bins.cpp
)
