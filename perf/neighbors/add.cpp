// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../neighbors.hpp"

#include <initializer_list>

namespace perf {

void add_neighbors(std::size_t largest) {
  for (std::size_t n : {std::size_t(32000), std::size_t(256000), std::size_t(1000000), std::size_t(4000000), std::size_t(16000000)}) {
    if (n > largest) break;
    add_uniform<float>(n);
    add_uniform<double>(n);
  }
}

}  // namespace perf
