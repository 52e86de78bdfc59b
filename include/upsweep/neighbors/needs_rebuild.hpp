// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/box_change.hpp>
#include <upsweep/neighbors/displacement.hpp>
#include <upsweep/scan/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

namespace upsweep {

/// The two largest of some numbers that are not negative, the larger one first.
template <std::floating_point Real>
struct two_largest {
  Real first = 0, second = 0;
};

/// Joins two_largest of parts, such as those of ranks: (5, 2) and (3, 1) give (5, 3).
template <std::floating_point Real>
struct two_largest_monoid {
  using value_type = two_largest<Real>;
  static constexpr bool exactly_associative = true;  ///< where no number is negative or NaN
  KOKKOS_FUNCTION value_type identity() const { return {0, 0}; }
  KOKKOS_FUNCTION value_type operator()(value_type const& a, value_type const& b) const {
    // No branches, which the lanes of a warp would go through one after the other.
    return {Kokkos::max(a.first, b.first), Kokkos::max(Kokkos::min(a.first, b.first), Kokkos::max(a.second, b.second))};
  }
};

namespace neighbors::detail {
template <class Moves>
struct largest_move {
  Moves squared;
  KOKKOS_FUNCTION auto operator()(std::size_t i) const {
    auto const s = squared(i);
    return two_largest<std::remove_const_t<decltype(s)>>{s, 0};
  }
};
template <class Moves>
largest_move(Moves) -> largest_move<Moves>;

/// Whether arguments begin with positions and boxes now and at the build.
template <class... Given>
inline constexpr bool are_now_and_at_build = false;
template <class Now, class AtBuild, class Real, class... Others>
inline constexpr bool are_now_and_at_build<now<Now, box<Real>>, at_build<AtBuild, box<Real>>, Others...> = true;
}  // namespace neighbors::detail

/// How far the two particles moved that moved most, between two sets of unwrapped positions, (n, 3) each:
/// `two_largest_displacements(space, now{x}, at_build{x_at_build})`. A position that is not a number is infinitely far
/// away. (0, 0) for no particles.
///
/// Pre: row i of both is the same particle; positions are not wrapped between the two.
/// Cost: 6 n reads, 2 launches. Sync: waits for the instance. Throws: precondition_error when the extents differ.
template <execution_space_argument ExecutionSpace, class Now, class AtBuild>
auto two_largest_displacements(ExecutionSpace const& space, now<Now> const& now, at_build<AtBuild> const& at_build,
                               call_options const& options = {}) {
  using real = typename Now::non_const_value_type;
  auto const squared = neighbors::detail::moves_between(now.what, at_build.what, "two_largest_displacements");
  auto const largest =
      reduce(space, now.what.extent(0), neighbors::detail::largest_move{squared}, two_largest_monoid<real>{}, options);
  return two_largest<real>{std::sqrt(largest.first), std::sqrt(largest.second)};
}

/// Whether a list made with `cutoff + skin` may lack a pair within `cutoff`, from how far particles moved (of all
/// ranks, joined by two_largest_monoid) and how the box changed since:
/// `needs_rebuild(moved, now{box}, at_build{box_at_build}, 2.5, 0.3)`.
///
/// Proof that false means no. Let the pair of i and j in image s not be listed: |d0| > cutoff + skin for its vector
/// at the build; d is its vector now. d - d0 is a difference of two displacements, at most moved.first + moved.second
/// long (0 for a particle and its own image), and the change of the image's shift, s0 da + s1 db + s2 dc with da, db,
/// dc the changes of the box's edges. If |d| <= cutoff, then |s_k| <= 1 + (cutoff + skin + |da| + |db| + |dc|) / h_k,
/// with h_k the box's height over the face of the other two edges: both particles lay in the box at the build, so
/// along that face's normal they were less than h_k apart, except for the change of the edges. Over all such s the
/// change of the shift is at most neighbors::detail::box_change(). Where all of that is at most the skin, |d| > cutoff
/// after all. The rounding of distances in builds and force loops is taken off the skin.
///
/// (In the open directions of a box of any edges particles lie anywhere; its box_change() has a bound of its own.)
///
/// So a box of which opposite corners move apart by D has changed by D at most, or by twice that and more where it is
/// shorter than cutoff + skin; one that moves as a whole has not changed. (LAMMPS adds up the ways of two corners:
/// never less than D.)
/// Pre: positions at the build lay in the box, wrapped; nothing is wrapped since. Directions are as periodic as they
/// were.
/// Sync: none; on the host. Throws: precondition_error (cutoff, skin, periodicity changed).
template <std::floating_point Real>
bool needs_rebuild(std::type_identity_t<two_largest<Real>> const& moved, now<box<Real>> const& box_now,
                   std::type_identity_t<at_build<box<Real>>> const& box_at_build, std::type_identity_t<Real> cutoff,
                   std::type_identity_t<Real> skin) {
  static constexpr char const* function = "needs_rebuild";
  internal::require(std::isfinite(cutoff) && cutoff > 0, function,
                    [&] { return "cutoff = " + internal::text_of(cutoff) + "; it must be positive and finite"; });
  internal::require(std::isfinite(skin) && skin >= 0, function,
                    [&] { return "skin = " + internal::text_of(skin) + "; it must be finite and not negative"; });
  auto const &now = box_now.what, &at_build = box_at_build.what;
  // No coordinate in one of the boxes is larger: corners of a tilted box lie beyond its borders.
  Real coordinate = 0;
  for (auto const& box : {now, at_build}) {
    auto const t = box.tilt();
    coordinate += box.is_of_edges() ? box.frame().size : std::abs(t.xy) + std::abs(t.xz) + std::abs(t.yz);
  }
  for (int d = 0; d < 3; ++d) {
    internal::require(now.periodic(d) == at_build.periodic(d), function, [&] {
      return std::string("direction ") + "xyz"[d] + " is periodic in one box and open in the other";
    });
    coordinate +=
        std::max({std::abs(now.lo(d)), std::abs(now.hi(d)), std::abs(at_build.lo(d)), std::abs(at_build.hi(d))});
  }
  auto const change = neighbors::detail::box_change<Real>(now, at_build, cutoff + skin);
  Real const way = moved.first + moved.second + change.length;
  // The same positions in the same box have the same list, whatever its rounding was.
  if (way == 0) return false;
  Real const rounding = 16 * std::numeric_limits<Real>::epsilon() * (coordinate + change.largest_shift + cutoff + skin);
  return !(way <= skin - rounding);  // true for a NaN, too
}

/// The same with displacements measured here:
/// `if (needs_rebuild(space, now{x, box}, at_build{x_at_build, box_at_build}, 2.5, 0.3)) list.update(space, x);`
///
/// Positions are Views (n, 3) of any layout. Cost, Sync: as two_largest_displacements. Throws: also when the extents
/// differ.
template <execution_space_argument ExecutionSpace, class Now, class AtBuild, std::floating_point Real>
bool needs_rebuild(ExecutionSpace const& space, now<Now, box<Real>> const& x_now,
                   at_build<AtBuild, box<Real>> const& x_at_build, std::type_identity_t<Real> cutoff,
                   std::type_identity_t<Real> skin, call_options const& options = {}) {
  static_assert(std::is_same_v<typename Now::non_const_value_type, Real>,
                "upsweep::needs_rebuild: positions and boxes are of one floating-point type.");
  // Spelled out: nvcc deduces the types of now{x_now.what} wrongly here.
  auto const moved =
      two_largest_displacements(space, now<Now>(x_now.what), at_build<AtBuild>(x_at_build.what), options);
  return needs_rebuild(moved, now<box<Real>>(x_now.box), at_build<box<Real>>(x_at_build.box), cutoff, skin);
}

// For callers who compare something else, or forgot the space: one sentence, and no list of all forms.
template <execution_space_argument ExecutionSpace, class... Compared>
  requires(!neighbors::detail::are_now_and_at_build<Compared...>)
bool needs_rebuild(ExecutionSpace const&, Compared const&...) {
  static_assert(neighbors::detail::are_now_and_at_build<Compared...>,
                "upsweep::needs_rebuild: behind the space stand now{x, box} and at_build{x_at_build, box_at_build}, "
                "with Views x and boxes of one floating-point type.");
  return true;
}
template <class First, class... Others>
  requires(lacks_space<First, Others...> || neighbors::detail::are_now_and_at_build<First, Others...>)
bool needs_rebuild(First const&, Others const&...) {
  static_assert(execution_space_argument<First>,
                "upsweep::needs_rebuild: the first argument is an execution-space instance.");
  return true;
}

}  // namespace upsweep
