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

/// How far the edges of a triclinic box lean: its edges are (Lx, 0, 0), (xy, Ly, 0) and (xz, yz, Lz). Any size, any sign.
template <std::floating_point Real>
struct tilt {
  Real xy = 0, xz = 0, yz = 0;
};

/// A simulation box, half-open [lo, hi) in each direction, each direction periodic or open; orthogonal, or triclinic with
/// edges as in `tilt`. box<double>({0, 0, 0}, {10, 10, 10}) is periodic in all directions;
/// box<double>::triclinic({0, 0, 0}, {10, 10, 10}, {.xy = 3}) leans to the right.
/// Throws: precondition_error when a border or a tilt is not finite or hi <= lo.
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

  static box triclinic(vector const& lo, vector const& hi, upsweep::tilt<Real> const& tilt,
                       Kokkos::Array<bool, 3> const& periodic = {true, true, true}) {
    box result(lo, hi, periodic);
    require(std::isfinite(tilt.xy) && std::isfinite(tilt.xz) && std::isfinite(tilt.yz), "box",
            "the tilt (xy " + std::to_string(tilt.xy) + ", xz " + std::to_string(tilt.xz) + ", yz " + std::to_string(tilt.yz) +
                ") must be finite");
    result.tilt_ = tilt;
    result.leans_ = tilt.xy != 0 || tilt.xz != 0 || tilt.yz != 0;
    return result;
  }

  KOKKOS_FUNCTION Real lo(int d) const { return lo_[d]; }
  KOKKOS_FUNCTION Real hi(int d) const { return hi_[d]; }
  KOKKOS_FUNCTION Real length(int d) const { return length_[d]; }
  KOKKOS_FUNCTION bool periodic(int d) const { return periodic_[d]; }
  KOKKOS_FUNCTION Real volume() const { return length_[0] * length_[1] * length_[2]; }
  KOKKOS_FUNCTION bool is_triclinic() const { return leans_; }
  KOKKOS_FUNCTION upsweep::tilt<Real> tilt() const { return tilt_; }

  /// Coordinate d brought into [lo, hi) where d is periodic, else left alone: x = fma(-floor((x-lo)/L), L, x), hi
  /// becoming lo. The one function that wraps, so that every rank and backend gets the same bits. Pre: !is_triclinic().
  KOKKOS_FUNCTION Real wrap(Real x, int d) const {
    if (!periodic_[d] || (x >= lo_[d] && x < hi_[d])) return x;
    Real const wrapped = Kokkos::fma(-Kokkos::floor((x - lo_[d]) / length_[d]), length_[d], x);
    return wrapped >= lo_[d] && wrapped < hi_[d] ? wrapped : lo_[d];
  }

  /// A position brought into the box along its periodic edges. In a triclinic box whole edges are taken off in z, then y,
  /// then x, and a coordinate may stay outside by a rounding.
  KOKKOS_FUNCTION vector wrap(vector x) const {
    if (!leans_) return {wrap(x[0], 0), wrap(x[1], 1), wrap(x[2], 2)};
    for (int d = 2; d >= 0; --d) {
      Real const t = upright(x)[d];
      if (!periodic_[d] || (t >= lo_[d] && t < hi_[d])) continue;
      Real const k = -Kokkos::floor((t - lo_[d]) / length_[d]);
      vector const e = edge(d);
      for (int c = 0; c <= d; ++c) x[c] = Kokkos::fma(k, e[c], x[c]);
    }
    return x;
  }

  /// Coordinates along the edges, each as long as its edge in that direction: the position itself in an orthogonal box, and
  /// in [lo, hi) exactly for what is inside of a triclinic one. Nothing is left to contract, so that every backend wraps
  /// alike.
  KOKKOS_FUNCTION vector upright(vector x) const {
    if (!leans_) return x;
    Real const fz = (x[2] - lo_[2]) / length_[2];
    x[1] = Kokkos::fma(-fz, tilt_.yz, x[1]);
    Real const fy = (x[1] - lo_[1]) / length_[1];
    x[0] = Kokkos::fma(-fz, tilt_.xz, Kokkos::fma(-fy, tilt_.xy, x[0]));
    return x;
  }

  /// The displacement of a periodic image: shift(1, d) is the box length. Rounded once and never contracted with
  /// the sum it goes into, so (x_j - x_i) + shift has the same bits everywhere. Pre: !is_triclinic().
  KOKKOS_FUNCTION Real shift(int image_component, int d) const {
    return Kokkos::fma(static_cast<Real>(image_component), length_[d], Real(0));
  }

  /// The same for all components, in any box: sx a + sy b + sz c, with a, b and c the edges. The opposite image's is the
  /// exact opposite.
  KOKKOS_FUNCTION vector shift(image const& s) const {
    Real const sx = static_cast<Real>(s.x()), sy = static_cast<Real>(s.y()), sz = static_cast<Real>(s.z());
    Real const z = Kokkos::fma(sz, length_[2], Real(0));
    if (!leans_) return {Kokkos::fma(sx, length_[0], Real(0)), Kokkos::fma(sy, length_[1], Real(0)), z};
    Real const x = Kokkos::fma(sx, length_[0], Real(0)), y = Kokkos::fma(sy, length_[1], Real(0));
    return {Kokkos::fma(sz, tilt_.xz, Kokkos::fma(sy, tilt_.xy, x)), Kokkos::fma(sz, tilt_.yz, y), z};
  }

  /// Edge d of the box.
  KOKKOS_FUNCTION vector edge(int d) const {
    if (d == 0) return {length_[0], Real(0), Real(0)};
    if (d == 1) return {tilt_.xy, length_[1], Real(0)};
    return {tilt_.xz, tilt_.yz, length_[2]};
  }

 private:
  vector lo_, hi_, length_;
  upsweep::tilt<Real> tilt_{};
  Kokkos::Array<bool, 3> periodic_;
  bool leans_ = false;
};

}  // namespace upsweep
