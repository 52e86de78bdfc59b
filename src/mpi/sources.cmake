# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  agree.cpp
  announce_rows.cpp
  choose_transport.cpp
  communicator.cpp
  copy_queue.cpp
  count_on_ranks.cpp
  domain.cpp
  exchange_bytes.cpp
  exclusive_offset.cpp
  gather_states.cpp
  gpu_records.cpp
  mpi_text.cpp
  nccl_library.cpp
  nccl_messages.cpp
  peer_library.cpp
  peer_messages.cpp
  range_of_ranks.cpp
  row_shares.cpp
  staged_messages.cpp
  sum_bins.cpp
)
