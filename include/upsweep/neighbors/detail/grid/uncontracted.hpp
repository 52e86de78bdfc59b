// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

namespace upsweep::neighbors::detail {

/// A double whose products no compiler contracts with a sum, so that a formula gives the same bits on CPUs and
/// GPUs. Quotients, square roots and whole parts are rounded correctly on both.
class uncontracted {
 public:
  uncontracted() = default;
  KOKKOS_FUNCTION constexpr uncontracted(double value) : value_(value) {}
  KOKKOS_FUNCTION constexpr double value() const { return value_; }

  KOKKOS_FUNCTION friend uncontracted operator+(uncontracted a, uncontracted b) { return a.value_ + b.value_; }
  KOKKOS_FUNCTION friend uncontracted operator-(uncontracted a, uncontracted b) { return a.value_ - b.value_; }
  KOKKOS_FUNCTION friend uncontracted operator*(uncontracted a, uncontracted b) {
    return Kokkos::fma(a.value_, b.value_, 0.0);
  }
  KOKKOS_FUNCTION friend uncontracted operator/(uncontracted a, uncontracted b) { return a.value_ / b.value_; }
  KOKKOS_FUNCTION uncontracted& operator+=(uncontracted b) { return *this = *this + b; }
  KOKKOS_FUNCTION uncontracted& operator*=(uncontracted b) { return *this = *this * b; }

  KOKKOS_FUNCTION friend bool operator==(uncontracted a, uncontracted b) { return a.value_ == b.value_; }
  KOKKOS_FUNCTION friend bool operator<(uncontracted a, uncontracted b) { return a.value_ < b.value_; }
  KOKKOS_FUNCTION friend bool operator>(uncontracted a, uncontracted b) { return b < a; }

  KOKKOS_FUNCTION friend uncontracted abs(uncontracted a) { return Kokkos::abs(a.value_); }
  KOKKOS_FUNCTION friend uncontracted floor(uncontracted a) { return Kokkos::floor(a.value_); }
  KOKKOS_FUNCTION friend uncontracted ceil(uncontracted a) { return Kokkos::ceil(a.value_); }
  KOKKOS_FUNCTION friend uncontracted larger(uncontracted a, uncontracted b) { return a < b ? b : a; }
  /// The length of (a, b, c), of which no square overflows.
  KOKKOS_FUNCTION friend uncontracted length_of(uncontracted a, uncontracted b, uncontracted c) {
    uncontracted const most = larger(larger(abs(a), abs(b)), abs(c));
    if (most == 0) return 0;
    a = a / most, b = b / most, c = c / most;
    return most * Kokkos::sqrt((a * a + b * b + c * c).value_);
  }

 private:
  double value_ = 0;
};

}  // namespace upsweep::neighbors::detail
