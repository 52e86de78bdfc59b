# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  bisect.cpp
  communicator.cpp
  domain.cpp
  exchange.cpp
  halo.cpp
  migrate.cpp
  mpi_errors.cpp
  redistribute.cpp
  reduce.cpp
  reproducible.cpp
  scan.cpp
  staging.cpp
)
