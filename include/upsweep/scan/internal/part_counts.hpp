// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>

namespace upsweep::internal {

/// How many elements of several parts there are, and the monoid that adds them.
template <int Size>
struct part_counts {
  std::uint64_t of[Size];
};
template <int Size>
struct add_counts {
  using value_type = part_counts<Size>;
  KOKKOS_FUNCTION value_type identity() const { return {}; }
  KOKKOS_FUNCTION value_type operator()(value_type const& left, value_type const& right) const {
    value_type sum;
    UPSWEEP_UNROLL
    for (int p = 0; p < Size; ++p) sum.of[p] = left.of[p] + right.of[p];
    return sum;
  }
};

}  // namespace upsweep::internal
