// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace perf {

/// What several measurements of one time say.
struct summary {
  double median;
  /// The distance of the quartiles over the median: 0.1 where half of the measurements are within 10 %. Infinite for
  /// one measurement, of which nobody knows how much it is worth.
  double spread;
};

/// summarize({9, 10, 11, 10, 30}) is {10, 0.1}: one slow measurement of five changes neither. Needs one at least.
inline summary summarize(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  std::size_t const n = seconds.size(), low = (n - 1) / 4, high = n - 1 - low;
  double const median = seconds[n / 2];
  return {median, n < 2 ? std::numeric_limits<double>::infinity() : (seconds[high] - seconds[low]) / median};
}

}  // namespace perf
