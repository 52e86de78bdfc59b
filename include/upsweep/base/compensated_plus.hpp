// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <concepts>
#include <type_traits>

namespace upsweep {

/// Sum with the rounding errors of its additions kept beside it and added at the end, as if in about twice the
/// precision: 1, 1e100, 1, -1e100 give 2, where plus gives 0.
///
/// Error: at most u |S| + c n^2 u^2 sum|x| for a fold of n numbers (u: half a unit in the last place of 1; n times less
/// for a tree): not worse for cancellation until the condition number sum|x| / |S| nears 1/u.
/// Order: associative only up to those second-order errors: the same bits in each run,
/// but not on every engine or backend; reproducible_plus gives that.
/// An infinite or NaN sum, overflow on the way included, stays what plus makes of it.
/// Cost: 2 numbers a state; 8 additions and one comparison a combination. Needs arithmetic without -ffast-math.
/// Source: D. E. Knuth, two-sum; T. Ogita, S. M. Rump, S. Oishi, *Accurate sum and dot product* (2005), Sum2.
template <std::floating_point Real>
struct compensated_plus {
  struct value_type {
    Real sum;
    Real compensation;
    KOKKOS_FUNCTION friend constexpr bool operator==(value_type const& left, value_type const& right) {
      return left.sum == right.sum && left.compensation == right.compensation;
    }
  };

  KOKKOS_FUNCTION constexpr value_type identity() const { return {Real(0), Real(0)}; }

  KOKKOS_FUNCTION constexpr value_type operator()(value_type const& left, value_type const& right) const {
    // Two-sum: sum + error is exactly left.sum + right.sum. Additions only, so there is nothing to contract.
    Real const sum = left.sum + right.sum;
    Real const right_part = sum - left.sum;
    Real const left_part = sum - right_part;
    Real const error = (left.sum - left_part) + (right.sum - right_part);
    // Where the sum is infinite the error is NaN, and would make the result NaN.
    bool const finite = sum - sum == Real(0);
    return {sum, finite ? (left.compensation + right.compensation) + error : Real(0)};
  }

  /// A number as it is. Float and integers that fit in Real are taken, too.
  template <class Input>
    requires(internal::widens<Input, Real>())
  KOKKOS_FUNCTION constexpr value_type lift(Input const& input) const {
    return {static_cast<Real>(input), Real(0)};
  }

  KOKKOS_FUNCTION constexpr Real lower(value_type const& state) const { return state.sum + state.compensation; }
};

}  // namespace upsweep
