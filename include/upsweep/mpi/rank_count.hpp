// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>

namespace upsweep::mpi {

/// How many of something this rank has, how many the ranks below it have, and how many there are: where three ranks
/// chose 2, 0 and 5, they get {2, 0, 7}, {0, 2, 7} and {5, 2, 7}.
struct rank_count {
  std::size_t count;
  std::size_t offset;
  std::size_t total;
};

}  // namespace upsweep::mpi
