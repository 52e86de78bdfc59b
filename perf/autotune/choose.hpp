// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "measure.hpp"

#include <string>
#include <vector>

namespace perf::autotune {

/// A constant, or some that belong together, for the header.
struct decision {
  std::string group;
  int element_bytes;  ///< 0 where it holds for all
  std::vector<std::string> declarations;
  std::vector<std::string> measured;  ///< lines of a table that say why
};

/// The best candidate of every group that was measured. The library's own stay unless another is clearly faster.
std::vector<decision> choose(std::vector<candidate> const& candidates, measurements const& measured);

/// The candidates of a group, one per line, with what they reach of a copy: those of one type, or of both (0).
std::vector<std::string> table_of(std::vector<candidate> const& candidates, measurements const& measured,
                                  std::string const& group, int element_bytes);

}  // namespace perf::autotune
