// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Core.hpp>

namespace apps {

/// Several numbers that are added up at once: the monoid of a class that has +, and whose zero is T{}.
template <class T>
struct sum_of {
  using value_type = T;
  KOKKOS_FUNCTION T identity() const { return T{}; }
  KOKKOS_FUNCTION T operator()(T const& left, T const& right) const { return left + right; }
};

}  // namespace apps
