// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../neighbors.hpp"

#include <initializer_list>

namespace perf {

void add_forces(std::size_t largest) {
  for (std::size_t n : {std::size_t(32000), std::size_t(256000), std::size_t(1000000)}) {
    if (n > largest) break;
    add_forces_of<float>(n);
    add_forces_of<double>(n);
  }
}

}  // namespace perf
