// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>

#include <Kokkos_Macros.hpp>

namespace upsweep::neighbors::detail {

// Distance tests in single precision that are never wrong. With a a particle and b a candidate, both relative to an
// origin near them, |b - a|^2 = b^2 - 2 a . b + a^2: three fused products a pair, since b^2 is known. What is computed
// so differs from the squared distance as a list defines it by less than `distance_error_bound`; pairs closer to the
// cutoff than that are computed again.

/// What the bound is made of.
struct filter_extent {
  double length;  ///< |a| + |b| is at most this
  double shift;   ///< a candidate is shifted by at most this
  double cutoff_squared;
  double limits = 0;  ///< what the types or radii of a pair add to either side of its test is at most this
};

/// Whether floats hold all numbers of the test with a relative precision. (Where not, every pair is undecided.)
KOKKOS_INLINE_FUNCTION bool fits_in_floats(filter_extent const& e) {
  return e.cutoff_squared > 1e-30 && e.cutoff_squared < 1e30 && e.length < 1e17;
}

/// The bound. Let u and e be the largest relative errors of a rounding to float and to Real, m the length, S the shift,
/// D the true displacement, |D| <= m.
///   A list's displacement, (x_j - x_i) + s, is off by at most e (2 m + S) =: g; hence its square, with three roundings
///   more, by 2 m g + g^2 + 3 e (m + g)^2.
///   The floats a and b come from (x - origin) + s: b - a is off by at most h := g + u m, its square by 2 m h + h^2.
///   b^2, the three products and sums, a^2 and the bounds to compare with round by at most 7 u m^2 + u
///   cutoff^2, fused or not.
/// Together less than (12 u + 4 e) m^2 + u cutoff^2 + 4 m h + 3 h^2; a hundredth more covers what this leaves out.
///
/// Cutoffs of types: with l the pair's squared cutoff, cutoff^2 - l is added to b^2. So the right side stays. It is
/// rounded once, and the four sums of the left side round relative to it, too.
/// Radii: |b - a|^2 <= (r_a + r_b)^2 is a test with a fourth coordinate, whose square is taken off: -r_b^2 is added to
/// b^2, -2 r_a r_b is a fourth product, and r_a^2 is added on the right. Roundings of the radii to floats, of squares,
/// products and sums, and those of the list's own square add at most 3 u m^2 + (10 u + 3 e) L, with a limit L that is
/// at least (r_a + r_b)^2.
/// So 4 u m^2 + (14 u + 4 e) L covers both.
template <class Real>
KOKKOS_FUNCTION double distance_error_bound(filter_extent const& e) {
  constexpr double u = internal::epsilon_of<float> / 2, real = internal::epsilon_of<Real> / 2;
  double const m = e.length, h = u * m + real * (2 * m + e.shift);
  double const limited = e.limits > 0 ? 4 * u * m * m + (14 * u + 4 * real) * e.limits : 0;
  return 1.01 * ((12 * u + 4 * real) * m * m + u * e.cutoff_squared + 4 * m * h + 3 * h * h + limited);
}

}  // namespace upsweep::neighbors::detail
