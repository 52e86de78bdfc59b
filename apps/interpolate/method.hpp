// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace interpolate {

enum class method {
  shepard,   ///< the mean of values, by weights that grow without bound towards a point: it takes points' values there
  linear,    ///< moving least squares of degree 1
  quadratic  ///< of degree 2
};

}  // namespace interpolate
