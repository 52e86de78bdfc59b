// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/kokkos_compat.hpp>

namespace upsweep {

/// A value and whether a segment starts with it. In a combination of several: the fold since the last head, and whether
/// there was a head.
template <class T>
struct segmented_value {
  T value;
  bool head;

  KOKKOS_FUNCTION friend constexpr bool operator==(segmented_value const& left, segmented_value const& right) {
    return left.value == right.value && left.head == right.head;
  }
};

/// Makes a scan restart at every head: a monoid on {value, head} around any monoid on values, for every algorithm.
/// Values 1 2 3 4 with heads 1 0 1 0 scanned by segmented<plus<int>> are 1 3 3 7 inclusive.
///
/// An exclusive scan gives the fold before each element, in which the element's own head has no part; exclusive_value
/// takes it into account: 0 1 0 3.
/// Order: operands are combined (left, right); not commutative even where Monoid is.
/// Source: G. E. Blelloch, *Prefix sums and their applications* (segmented scans).
template <monoid Monoid>
struct segmented {
  using value_type = segmented_value<typename Monoid::value_type>;
  Monoid op{};

  KOKKOS_FUNCTION constexpr value_type identity() const { return {op.identity(), false}; }

  KOKKOS_FUNCTION constexpr value_type operator()(value_type const& left, value_type const& right) const {
    if (right.head) return right;
    return {op(left.value, right.value), left.head};
  }

  /// {input, head} to a state, by the lift of the monoid inside.
  template <class Input>
  KOKKOS_FUNCTION constexpr value_type lift(segmented_value<Input> const& x) const {
    return {upsweep::internal::lift(op, x.value), x.head};
  }

  /// The value of a state as the monoid inside gives it to an output.
  KOKKOS_FUNCTION constexpr auto lower(value_type const& state) const {
    if constexpr (internal::has_lower<Monoid>) return op.lower(state.value);
    else return state.value;
  }

  /// The exclusive scan's value at an element, from the fold of everything before it and the element's own head.
  KOKKOS_FUNCTION constexpr typename Monoid::value_type exclusive_value(value_type const& before, bool head) const {
    return head ? op.identity() : before.value;
  }
};

}  // namespace upsweep
