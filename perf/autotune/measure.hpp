// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "candidate.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace perf::autotune {

/// The times at one number of elements of one type.
struct row {
  int element_bytes;
  std::size_t n;
  double copy_s;
  std::vector<double> seconds;  ///< a scan, by candidate; 0 where it was not run
};

struct measurements {
  std::vector<row> rows;
  std::vector<std::string> refused;  ///< by candidate: why the machine does not run it; empty where it does
  std::vector<std::string> wrong;    ///< results that are no scan
};

/// Times all candidates for int32 and int64, each `count` times (0: as often as the size asks for), verified before and
/// after. Sizes that do not fit into memory are left out; says so, and what it is at, on standard error.
measurements measure(std::vector<candidate> const& candidates, std::vector<std::size_t> const& sizes, int count);

}  // namespace perf::autotune
