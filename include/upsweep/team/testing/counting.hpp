// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>

#include <cstdint>

namespace upsweep::team::testing {

/// A monoid that counts how often it combines: std::uint64_t n = 0; counting<plus<int>> op{{}, &n};
/// Pre: the counter lies where the callers can reach it. The count is atomic.
template <monoid Monoid>
struct counting {
  using value_type = typename Monoid::value_type;
  Monoid op;
  std::uint64_t* count;

  KOKKOS_FUNCTION value_type identity() const { return op.identity(); }
  KOKKOS_FUNCTION value_type operator()(value_type const& left, value_type const& right) const {
    Kokkos::atomic_add(count, std::uint64_t(1));
    return op(left, right);
  }
};

}  // namespace upsweep::team::testing
