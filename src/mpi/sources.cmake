# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  agree.cpp
  communicator.cpp
  count_on_ranks.cpp
  domain.cpp
  exchange_bytes.cpp
  exclusive_offset.cpp
  gather_states.cpp
  gpu_aware.cpp
  pending_records.cpp
  range_of_ranks.cpp
  row_shares.cpp
)
