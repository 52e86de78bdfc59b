// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// Floating-point numbers as integers in the same order: neighbouring numbers are neighbouring integers.
template <std::floating_point Real>
struct ordered_bits {
  static_assert(sizeof(Real) == 4 || sizeof(Real) == 8);
  using integer = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;

  KOKKOS_FUNCTION static integer of(Real x) { return in_order(Kokkos::bit_cast<integer>(x)); }
  KOKKOS_FUNCTION static Real number(integer i) { return Kokkos::bit_cast<Real>(in_order(i)); }

 private:
  // Negative numbers are stored as a sign and a magnitude. The reversal of their order is its own inverse.
  static constexpr integer least = std::numeric_limits<integer>::min();
  KOKKOS_FUNCTION static integer in_order(integer i) { return i < 0 ? least - i : i; }
};

/// The smallest number above `below` for which `holds` is true, where it is false up to that number and true from it
/// on: first_number(0.0, 0.1, [](double x) { return x * x >= 4; }) is 2. `step` is a guess of how far away that is.
///
/// Pre: !holds(below); step > 0. At most about 70 calls of `holds` with a good guess; ends with any `holds`.
template <std::floating_point Real, class Predicate>
KOKKOS_FUNCTION Real first_number(Real below, Real step, Predicate const& holds) {
  constexpr Real infinity = internal::infinity_of<Real>;
  // Double the step until it leads far enough, then bisect.
  Real const start = below;
  Real above = start + step;
  while (!holds(above) && above < infinity) {
    below = above;
    step += step;
    above = start + step;
  }
  auto low = ordered_bits<Real>::of(below), high = ordered_bits<Real>::of(above);
  while (low + 1 < high) {
    auto const middle = static_cast<typename ordered_bits<Real>::integer>((low >> 1) + (high >> 1) + (low & high & 1));
    (holds(ordered_bits<Real>::number(middle)) ? high : low) = middle;
  }
  return ordered_bits<Real>::number(high);
}

}  // namespace upsweep::neighbors::detail
