// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cmath>
#include <concepts>
#include <string>

namespace upsweep {

/// An orthogonal simulation box, half-open [lo, hi) in each direction, each direction periodic or open.
/// box<double>({0, 0, 0}, {10, 10, 10}) is periodic in all directions.
/// Throws: precondition_error when a border is not finite or hi <= lo.
template <std::floating_point Real>
class box {
 public:
  using real = Real;
  using vector = Kokkos::Array<Real, 3>;

  box(vector const& lo, vector const& hi, Kokkos::Array<bool, 3> const& periodic = {true, true, true})
      : lo_(lo), hi_(hi), periodic_(periodic) {
    for (int d = 0; d < 3; ++d) {
      length_[d] = hi[d] - lo[d];
      require(std::isfinite(lo[d]) && std::isfinite(hi[d]) && hi[d] > lo[d] && std::isfinite(length_[d]), "box",
              std::string("direction ") + "xyz"[d] + " runs from " + std::to_string(lo[d]) + " to " +
                  std::to_string(hi[d]) + "; borders must be finite and hi > lo");
    }
  }

  KOKKOS_FUNCTION Real lo(int d) const { return lo_[d]; }
  KOKKOS_FUNCTION Real hi(int d) const { return hi_[d]; }
  KOKKOS_FUNCTION Real length(int d) const { return length_[d]; }
  KOKKOS_FUNCTION bool periodic(int d) const { return periodic_[d]; }
  KOKKOS_FUNCTION Real volume() const { return length_[0] * length_[1] * length_[2]; }

  /// Coordinate d brought into [lo, hi) where d is periodic, else left alone: x = fma(-floor((x-lo)/L), L, x), hi
  /// becoming lo. The one function that wraps, so that every rank and backend gets the same bits.
  KOKKOS_FUNCTION Real wrap(Real x, int d) const {
    if (!periodic_[d] || (x >= lo_[d] && x < hi_[d])) return x;
    Real const wrapped = Kokkos::fma(-Kokkos::floor((x - lo_[d]) / length_[d]), length_[d], x);
    return wrapped >= lo_[d] && wrapped < hi_[d] ? wrapped : lo_[d];
  }

  /// The displacement of a periodic image: shift(1, d) is the box length. Rounded once and never contracted with
  /// the sum it goes into, so (x_j - x_i) + shift has the same bits everywhere.
  KOKKOS_FUNCTION Real shift(int image_component, int d) const {
    return Kokkos::fma(static_cast<Real>(image_component), length_[d], Real(0));
  }

 private:
  vector lo_, hi_, length_;
  Kokkos::Array<bool, 3> periodic_;
};

}  // namespace upsweep
