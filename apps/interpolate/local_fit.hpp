// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

namespace interpolate {

/// Monomials of at most a degree in Dim variables: 1; x, y, z; x^2, xy, ...
template <int Dim, int Degree>
inline constexpr int terms = Degree == 0   ? 1
                             : Degree == 1 ? 1 + Dim
                                           : 1 + Dim + Dim * (Dim + 1) / 2;

template <int Dim, int Degree>
KOKKOS_FORCEINLINE_FUNCTION void monomials(double const (&x)[3], double (&p)[terms<Dim, Degree>]) {
  p[0] = 1;
  if constexpr (Degree >= 1)
    for (int d = 0; d < Dim; ++d) p[1 + d] = x[d];
  if constexpr (Degree >= 2) {
    int n = 1 + Dim;
    for (int d = 0; d < Dim; ++d)
      for (int e = d; e < Dim; ++e) p[n++] = x[d] * x[e];
  }
}

/// The polynomial that fits the points around one target best, by weighted least squares: add() each point, factor(),
/// then solve(). With the solution s for the right side 1, 0, 0, ..., the polynomial's value at the target is the sum
/// over the points of weight * (s . monomials) * value.
/// Memory: n (n + 1) / 2 numbers in one thread.
template <int Dim, int Degree>
class local_fit {
 public:
  static constexpr int n = terms<Dim, Degree>;
  /// A monomial counts as dependent on those before it if so little of its square is left without them: points in one
  /// plane, say. Fits with less left have weights of thousands that cancel.
  static constexpr double least_rest = 1e-6;

  KOKKOS_FUNCTION local_fit() {
    for (double& m : moments_) m = 0;
  }

  KOKKOS_FUNCTION void add(double weight, double const (&p)[n]) {
    for (int a = 0; a < n; ++a)
      for (int b = 0; b <= a; ++b) moments_[a * (a + 1) / 2 + b] += weight * p[a] * p[b];
  }

  /// Factors the matrix of moments into L D L^T. False where monomials are dependent on these points.
  KOKKOS_FUNCTION bool factor() {
    for (int a = 0; a < n; ++a) {
      double const whole = at(a, a);
      for (int b = 0; b <= a; ++b) {
        double sum = at(a, b);
        for (int c = 0; c < b; ++c) sum -= at(a, c) * at(b, c) * at(c, c);
        if (b == a) {
          if (!(sum > least_rest * whole)) return false;
          at(a, a) = sum;
        } else {
          at(a, b) = sum / at(b, b);
        }
      }
    }
    return true;
  }

  /// Replaces the right side x by the solution. Pre: factor() returned true.
  KOKKOS_FUNCTION void solve(double (&x)[n]) const {
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < a; ++b) x[a] -= at(a, b) * x[b];
    for (int a = 0; a < n; ++a) x[a] /= at(a, a);
    for (int a = n - 1; a >= 0; --a)
      for (int b = a + 1; b < n; ++b) x[a] -= at(b, a) * x[b];
  }

 private:
  KOKKOS_FUNCTION double& at(int a, int b) { return moments_[a * (a + 1) / 2 + b]; }
  KOKKOS_FUNCTION double at(int a, int b) const { return moments_[a * (a + 1) / 2 + b]; }

  double moments_[n * (n + 1) / 2];
};

}  // namespace interpolate
