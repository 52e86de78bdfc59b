// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>

namespace upsweep::mpi {

/// How many of something this rank has, how many the ranks below it have, and how many there are: where three ranks
/// chose 2, 0 and 5, they get {2, 0, 7}, {0, 2, 7} and {5, 2, 7}.
struct rank_count {
  std::uint64_t count;
  std::uint64_t offset;
  std::uint64_t total;
};

}  // namespace upsweep::mpi
