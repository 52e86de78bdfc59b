// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: upsweep::reproducible_plus sums float and double

#include "snippet.hpp"

#include <upsweep/base/reproducible_plus.hpp>

double precise_type() {
  upsweep::reproducible_plus<RIGHT_OR_WRONG(double, long double)> const op;
  return static_cast<double>(op.lower(op.lift(1.0f)));
}
