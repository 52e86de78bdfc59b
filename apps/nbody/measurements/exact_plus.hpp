// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/reproducible_plus.hpp>

namespace nbody {

/// reproducible_plus without lower(), so that sums are rounded only after the parts of all ranks are joined: the same
/// bits on any number of ranks. Inputs are exact_plus::sum{}.lift(x), and exact_plus::sum{}.lower(all) is the number.
struct exact_plus {
  using sum = upsweep::reproducible_plus<double>;
  using value_type = sum::value_type;
  KOKKOS_FUNCTION value_type identity() const { return sum{}.identity(); }
  KOKKOS_FUNCTION value_type operator()(value_type const& a, value_type const& b) const { return sum{}(a, b); }
};

}  // namespace nbody
