// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

namespace upsweep::neighbors::detail {

/// The largest square of a distance that is within a cutoff: r2 <= largest_square(c, false) is r2 < c * c, so that
/// kernels know one comparison. Negative where nothing is.
template <std::floating_point Real>
Real largest_square(Real cutoff, bool include_cutoff) {
  Real const square = cutoff * cutoff;
  if (include_cutoff) return square;
  return square > 0 ? std::nextafter(square, Real(0)) : -std::numeric_limits<Real>::min();
}

}  // namespace upsweep::neighbors::detail
