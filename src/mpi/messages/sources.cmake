# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  choose_transport.cpp
  copy_queue.cpp
  exchange_bytes.cpp
  gpu_records.cpp
  nccl_library.cpp
  nccl_messages.cpp
  peer_library.cpp
  peer_messages.cpp
  staged_messages.cpp
)
