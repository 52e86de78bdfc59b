// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep {

namespace neighbors::detail {

/// How far particle i has moved, squared. NaN counts as infinitely far, so that it cannot hide in a maximum.
template <class Positions>
struct moved_squared {
  Positions now, before;
  KOKKOS_FUNCTION auto operator()(std::size_t i) const {
    using real = position_real_t<Positions>;
    auto const a = now(static_cast<std::int64_t>(i)), b = before(static_cast<std::int64_t>(i));
    // Nothing is left to contract: the same bits, and so the same decision, on every backend.
    real const x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    real const sum = Kokkos::fma(z, z, Kokkos::fma(y, y, x * x));
    return sum == sum ? sum : internal::largest_value<real>;
  }
};

}  // namespace neighbors::detail

/// The square of the largest distance by which a particle moved between two sets of unwrapped positions, (n, 3) each:
/// a list made with a skin stays complete while no particle has moved more than half of it, i.e. while
/// `largest_displacement_squared(space, now, at_build) <= skin * skin / 4`. 0 for no particles.
///
/// Pre: row i of both is the same particle; positions are not wrapped between the two.
/// Cost: 6 n reads, 2 launches. Sync: waits for the instance. Throws: precondition_error when the extents differ.
template <class ExecutionSpace, class Now, class Before>
typename Now::non_const_value_type largest_displacement_squared(ExecutionSpace const& space, Now const& now,
                                                                Before const& before,
                                                                call_options const& options = {}) {
  internal::require(now.extent(0) == before.extent(0), "largest_displacement_squared",
                    std::to_string(now.extent(0)) + " positions now, " + std::to_string(before.extent(0)) + " before");
  using real = typename Now::non_const_value_type;
  auto const squared = neighbors::detail::moved_squared<neighbors::detail::strided_positions<real>>{
      neighbors::detail::make_positions(now), neighbors::detail::make_positions(before)};
  real const largest = reduce(space, now.extent(0), squared, max<>{}, options);
  return largest > 0 ? largest : real(0);
}

}  // namespace upsweep
