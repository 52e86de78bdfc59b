// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "options.hpp"
#include "weights.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace interpolate {

/// What is to be computed, in host memory.
struct problem {
  int dimensions = 3;
  std::vector<double> points, targets;  ///< three coordinates each; the third is 0 in two dimensions
  std::vector<double> values;           ///< all fields of point 0, then of point 1, ...
  std::size_t fields = 1;
  std::vector<std::uint64_t> shape;  ///< of the result
  box domain{{0, 0, 0}, {1, 1, 1}};  ///< periodic, or open with all points and targets inside

  std::size_t target_count() const { return targets.size() / 3; }
};

/// Throws: input_error that names the file, or the option whose length is not that of positions.
problem read_problem(options const& o);

}  // namespace interpolate
