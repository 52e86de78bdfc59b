// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

namespace upsweep::neighbors::detail {

/// A double whose products no compiler contracts with a sum, so that a formula gives the same bits on CPUs and
/// GPUs. Quotients, square roots and whole parts are rounded correctly on both.
/// Not made of constants: of a constant that a constexpr constructor converts, nvcc (13.0) drops the brackets when it
/// writes the host's code, so that x * (1 + eps) became x * 1 + eps.
class uncontracted {
 public:
  uncontracted() = default;
  KOKKOS_FUNCTION uncontracted(double value) : value_(value) {}
  KOKKOS_FUNCTION double value() const { return value_; }

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
