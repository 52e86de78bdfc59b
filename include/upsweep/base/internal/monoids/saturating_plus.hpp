// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>

namespace upsweep::internal {

/// Sum of unsigned 64-bit counts that stops at the largest value instead of wrapping: saturated sums stay
/// associative, so an overflow is seen at the end of a scan whatever the order of its additions was.
struct saturating_plus {
  using value_type = std::uint64_t;
  KOKKOS_FUNCTION constexpr value_type identity() const { return 0; }
  KOKKOS_FUNCTION constexpr value_type operator()(value_type left, value_type right) const {
    value_type const sum = left + right;
    return sum < left ? ~value_type(0) : sum;
  }
};

}  // namespace upsweep::internal
