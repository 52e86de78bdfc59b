# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Written by tests/layers/check_files.py --write.
set(
  sources
  command_mistakes.cpp
  config_reader.cpp
  kokkos_options.cpp
  output_words.cpp
)
