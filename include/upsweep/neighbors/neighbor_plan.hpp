// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>

namespace upsweep {

/// What is known of a neighbour list once its pairs are counted, before the memory for them is taken.
struct neighbor_plan {
  std::size_t rows = 0;
  std::size_t pairs = 0;        ///< neighbours of all rows
  std::size_t largest_row = 0;  ///< neighbours of the particle that has most
  std::size_t list_bytes = 0;   ///< offsets, neighbours and what else options keep of pairs
  std::size_t other_bytes = 0;  ///< the binned particles, and what building needs beside the list
  std::size_t bytes() const { return list_bytes + other_bytes; }
};

}  // namespace upsweep
