// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

namespace upsweep::internal {

/// A monoid whose elements and results are the states of another: what is combined already must not pass through lift
/// and lower again.
template <class Monoid>
struct state_monoid {
  using value_type = typename Monoid::value_type;
  Monoid monoid;
  KOKKOS_FUNCTION value_type identity() const { return monoid.identity(); }
  KOKKOS_FUNCTION value_type operator()(value_type const& left, value_type const& right) const {
    return monoid(left, right);
  }
  KOKKOS_FUNCTION value_type lift(value_type const& state) const { return state; }
  KOKKOS_FUNCTION value_type lower(value_type const& state) const { return state; }
};

}  // namespace upsweep::internal
