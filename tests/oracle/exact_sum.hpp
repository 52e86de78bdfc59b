// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace oracle {

/// The sum of finite numbers, within one rounding: partial sums that do not overlap hold it exactly (J. R. Shewchuk,
/// *Adaptive precision floating-point arithmetic*, grow-expansion). Pre: no overflow.
template <class Real>
double exact_sum(std::vector<Real> const& values) {
  std::vector<double> partials;
  for (double x : values) {
    std::size_t kept = 0;
    for (double y : partials) {
      if (std::abs(x) < std::abs(y)) std::swap(x, y);
      double const high = x + y, low = y - (high - x);
      if (low != 0) partials[kept++] = low;
      x = high;
    }
    partials.resize(kept);
    partials.push_back(x);
  }
  double sum = 0;
  for (double p : partials) sum += p;  // from the smallest to the largest
  return sum;
}

}  // namespace oracle
