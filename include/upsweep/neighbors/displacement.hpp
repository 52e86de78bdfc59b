// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep {

namespace neighbors::detail {
struct no_box {};
}  // namespace neighbors::detail

/// What particles and their box are now, and what they were when a list was built, for calls that compare the two:
/// `now{x, box}, at_build{x_at_build, box_at_build}`, or positions alone, or a box alone. They are of two types, so
/// that one cannot stand where the other belongs.
/// what: positions, or a box alone.
template <class What, class Box = neighbors::detail::no_box>
struct now {
  explicit now(What const& given, Box const& around = {}) : what(given), box(around) {}
  What what;
  Box box;
};
template <class What, class Box = neighbors::detail::no_box>
struct at_build {
  explicit at_build(What const& given, Box const& around = {}) : what(given), box(around) {}
  What what;
  Box box;
};

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

/// Of two sets of positions. Throws precondition_error, in the name of `function`, where they are not as many.
template <class Now, class AtBuild>
auto moves_between(Now const& now, AtBuild const& at_build, char const* function) {
  static_assert(Kokkos::is_view_v<Now> && Kokkos::is_view_v<AtBuild>,
                "upsweep: positions now and at the build are Views (n, 3).");
  using real = typename Now::non_const_value_type;
  static_assert(std::is_same_v<real, typename AtBuild::non_const_value_type>,
                "upsweep: positions now and at the build are of one floating-point type.");
  auto const text = [](auto const& v) { return std::to_string(v.extent(0)) + " x " + std::to_string(v.extent(1)); };
  internal::require(
      now.extent(0) == at_build.extent(0) && now.extent(1) == 3 && at_build.extent(1) == 3, function,
      [&] { return "positions are " + text(now) + " now, " + text(at_build) + " at the build; both are n x 3"; });
  return moved_squared<strided_positions<real>>{make_positions(now), make_positions(at_build)};
}

}  // namespace neighbors::detail

/// The square of the largest distance by which a particle moved between two sets of unwrapped positions, (n, 3) each:
/// a list made with a skin stays complete while no particle has moved more than half of it, i.e. while
/// `largest_displacement_squared(space, now{x}, at_build{x_at_build}) <= skin * skin / 4`. 0 for no particles.
///
/// Pre: row i of both is the same particle; positions are not wrapped between the two.
/// Cost: 6 n reads, 2 launches. Sync: waits for the instance. Throws: precondition_error when the extents differ.
template <execution_space_argument ExecutionSpace, class Now, class AtBuild>
typename Now::non_const_value_type largest_displacement_squared(ExecutionSpace const& space, now<Now> const& now,
                                                                at_build<AtBuild> const& at_build,
                                                                call_options const& options = {}) {
  using real = typename Now::non_const_value_type;
  auto const squared = neighbors::detail::moves_between(now.what, at_build.what, "largest_displacement_squared");
  real const largest = reduce(space, now.what.extent(0), squared, max<>{}, options);
  return largest > 0 ? largest : real(0);
}

}  // namespace upsweep
