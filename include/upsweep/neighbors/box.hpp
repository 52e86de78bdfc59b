// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/require.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/grid/first_number.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/position_fault.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <string>

namespace upsweep {

/// How far the edges of a triclinic box lean: its edges are (Lx, 0, 0), (xy, Ly, 0) and (xz, yz, Lz). Any sign; how
/// much is allowed, box::triclinic says.
template <std::floating_point Real>
struct tilt {
  Real xy = 0, xz = 0, yz = 0;
};

/// A simulation box, half-open [lo, hi) in each direction, each direction periodic or open; orthogonal, or triclinic
/// with edges as in `tilt`. box<double>({0, 0, 0}, {10, 10, 10}) is periodic in all directions;
/// box<double>::triclinic({0, 0, 0}, {10, 10, 10}, {.xy = 3}) leans to the right.
/// Throws: precondition_error when a border or a tilt is not finite, hi <= lo, or triclinic() refuses.
template <std::floating_point Real>
class box {
 public:
  using real = Real;
  using vector = Kokkos::Array<Real, 3>;

  /// A tilt is at most so many edges long. (The same lattice has edges with tilts of at most half an edge.)
  static constexpr Real largest_tilt = sizeof(Real) == 4 ? Real(10) : Real(1000);
  /// Positions are wrapped from at most so many edges away: then rounding moves them by less than 1/200 of an edge,
  /// and the edges taken off can be counted in an int.
  static constexpr Real farthest = sizeof(Real) == 4 ? Real(1 << 16) : Real(1 << 30);

  box(vector const& lo, vector const& hi, Kokkos::Array<bool, 3> const& periodic = {true, true, true})
      : lo_(lo), hi_(hi), periodic_(periodic) {
    for (int d = 0; d < 3; ++d) {
      length_[d] = hi[d] - lo[d];
      internal::require(std::isfinite(lo[d]) && std::isfinite(hi[d]) && hi[d] > lo[d] && std::isfinite(length_[d]),
                        "box",
                        std::string("direction ") + "xyz"[d] + " runs from " + std::to_string(lo[d]) + " to " +
                            std::to_string(hi[d]) + "; borders must be finite and hi > lo");
    }
  }

  /// A box with tilted edges. Throws: precondition_error when |xy| or |xz| is more than `largest_tilt` times Lx, |yz|
  /// more than that times Ly, or an edge shorter than 64 roundings of its coordinates, tilts included: wrapping needs
  /// as much.
  static box triclinic(vector const& lo, vector const& hi, upsweep::tilt<Real> const& tilt,
                       Kokkos::Array<bool, 3> const& periodic = {true, true, true}) {
    box result(lo, hi, periodic);
    internal::require(std::isfinite(tilt.xy) && std::isfinite(tilt.xz) && std::isfinite(tilt.yz), "box",
                      "the tilt (xy " + std::to_string(tilt.xy) + ", xz " + std::to_string(tilt.xz) + ", yz " +
                          std::to_string(tilt.yz) + ") must be finite");
    result.tilt_ = tilt;
    result.leans_ = tilt.xy != 0 || tilt.xz != 0 || tilt.yz != 0;
    if (result.leans_) result.require_room_for_rounding();
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
  /// becoming lo. Every rank and backend gets the same bits. Pre: !is_triclinic(); no fault().
  KOKKOS_FUNCTION Real wrap(Real x, int d) const {
    if (!periodic_[d] || (x >= lo_[d] && x < hi_[d])) return x;
    Real const wrapped = Kokkos::fma(-Kokkos::floor((x - lo_[d]) / length_[d]), length_[d], x);
    return wrapped >= lo_[d] && wrapped < hi_[d] ? wrapped : lo_[d];
  }

  /// A position brought into the box along its periodic edges: upright(wrap(x)) is in [lo, hi) in every periodic
  /// direction, so wrap(wrap(x)) is wrap(x), bit by bit. The images of a list's pairs are relative to these
  /// positions.
  ///
  /// In a triclinic box whole edges are taken off in z, then y, then x. What rounding leaves below lo is raised to
  /// the first number that is inside. The same bits on every rank and backend. Pre: no fault().
  KOKKOS_FUNCTION vector wrap(vector x) const {
    if (!leans_) return {wrap(x[0], 0), wrap(x[1], 1), wrap(x[2], 2)};
    vector const t = upright(x);
    if (is_inside(t, 0) && is_inside(t, 1) && is_inside(t, 2)) return x;
    // upright(x)[d] depends on x[d] and on later coordinates only, so a later step leaves what earlier ones did alone.
    for (int d = 2; d >= 0; --d)
      if (!is_inside(upright(x), d)) x = without_edges(x, d);
    return x;
  }

  /// Why x cannot be used, if it cannot: it is not finite, it is more than `farthest` edges away in a periodic
  /// direction, or it is outside in an open direction. hi is inside there, and in a triclinic box so is what rounding
  /// may have moved out. `wrapped` is wrap(x).
  KOKKOS_FUNCTION position_fault fault(vector const& x, vector const& wrapped) const {
    using enum position_fault::kind;
    for (int d = 0; d < 3; ++d)
      if (!Kokkos::isfinite(x[d])) return {not_finite, d};
    vector const along = upright(x), t = upright(wrapped);
    for (int d = 2; d >= 0; --d) {
      if (t[d] >= lo_[d] && t[d] <= hi_[d] && x[d] == wrapped[d]) continue;
      if (periodic_[d]) {
        if (is_too_far(x[d], d) || is_too_far(along[d], d)) return {too_far, d};
      } else {
        Real const rounding = open_rounding(wrapped, d);
        if (!(t[d] >= lo_[d] - rounding && t[d] <= hi_[d] + rounding)) return {outside, d};
      }
    }
    return {};
  }
  KOKKOS_FUNCTION position_fault fault(vector const& x) const { return fault(x, wrap(x)); }

  /// A fault in words, as the end of a sentence about a position.
  std::string describe(position_fault const& fault) const {
    std::string const direction(1, "xyz"[fault.direction]);
    switch (fault.what) {
      case position_fault::kind::none: return "can be used";
      case position_fault::kind::not_finite: return "is not finite";
      case position_fault::kind::outside: return "is outside of the box in the open direction " + direction;
      case position_fault::kind::too_far: break;
    }
    return "is more than " + std::to_string(static_cast<long>(farthest)) + " edges away in the periodic direction " +
           direction + ": rounding has lost its place in the box";
  }

  /// Coordinates along the edges, each as long as its edge in that direction: the position itself in an orthogonal
  /// box, and in [lo, hi) exactly for what is inside of a triclinic one. Nothing is left to contract, so that every
  /// backend wraps alike.
  KOKKOS_FUNCTION vector upright(vector x) const {
    if (!leans_) return x;
    Real const fz = (x[2] - lo_[2]) / length_[2];
    x[1] = Kokkos::fma(-fz, tilt_.yz, x[1]);
    Real const fy = (x[1] - lo_[1]) / length_[1];
    x[0] = Kokkos::fma(-fz, tilt_.xz, Kokkos::fma(-fy, tilt_.xy, x[0]));
    return x;
  }

  /// The displacement of a periodic image, sx a + sy b + sz c with a, b and c the edges: shift(image(1, 0, 0)) is the
  /// first edge. A neighbour j in image s is at x_j + shift(s) as seen from i. The opposite image's is the exact
  /// opposite. Never contracted with the sum it goes into, so that (x_j - x_i) + shift has the same bits everywhere.
  KOKKOS_FUNCTION vector shift(image const& s) const {
    Real const sx = static_cast<Real>(s.x()), sy = static_cast<Real>(s.y()), sz = static_cast<Real>(s.z());
    Real const x = Kokkos::fma(sx, length_[0], Real(0)), y = Kokkos::fma(sy, length_[1], Real(0)),
               z = Kokkos::fma(sz, length_[2], Real(0));
    if (!leans_) return {x, y, z};
    return {Kokkos::fma(sz, tilt_.xz, Kokkos::fma(sy, tilt_.xy, x)), Kokkos::fma(sz, tilt_.yz, y), z};
  }

  /// Edge d of the box.
  KOKKOS_FUNCTION vector edge(int d) const {
    if (d == 0) return {length_[0], Real(0), Real(0)};
    if (d == 1) return {tilt_.xy, length_[1], Real(0)};
    return {tilt_.xz, tilt_.yz, length_[2]};
  }

 private:
  static constexpr Real epsilon = std::numeric_limits<Real>::epsilon();

  void require_room_for_rounding() const {
    auto const check = [this](char const* name, Real tilt, int d) {
      internal::require(std::abs(tilt) <= largest_tilt * length_[d], "box",
                        std::string("the tilt ") + name + " = " + std::to_string(tilt) + " is more than " +
                            std::to_string(static_cast<int>(largest_tilt)) + " times the edge in direction " +
                            "xyz"[d] + ", which is " + std::to_string(length_[d]) +
                            " long; take whole edges off the tilt");
    };
    check("xy", tilt_.xy, 0);
    check("xz", tilt_.xz, 0);
    check("yz", tilt_.yz, 1);
    Real const tilts[3] = {std::abs(tilt_.xy) + std::abs(tilt_.xz), std::abs(tilt_.yz), 0};
    for (int d = 0; d < 3; ++d) {
      Real const largest = std::max(std::abs(lo_[d]), std::abs(hi_[d])) + tilts[d];
      internal::require(length_[d] >= 64 * epsilon * largest, "box",
                        std::string("direction ") + "xyz"[d] + " of a triclinic box is " + std::to_string(length_[d]) +
                            " long, which is less than 64 roundings of coordinates as large as " +
                            std::to_string(largest));
    }
  }

  /// Whether upright coordinates need no wrapping in direction d.
  KOKKOS_FUNCTION bool is_inside(vector const& t, int d) const {
    return !periodic_[d] || (t[d] >= lo_[d] && t[d] < hi_[d]);
  }

  KOKKOS_FUNCTION bool is_too_far(Real x, int d) const { return !(Kokkos::abs((x - lo_[d]) / length_[d]) <= farthest); }

  KOKKOS_FUNCTION vector moved(vector x, Real edges, int d) const {
    vector const e = edge(d);
    for (int c = 0; c <= d; ++c) x[c] = Kokkos::fma(edges, e[c], x[c]);
    return x;
  }

  /// x brought inside in direction d. Rounding of the quotient may leave it a little beyond hi, which one more edge
  /// mends, or a little below lo.
  KOKKOS_FUNCTION vector without_edges(vector const& x, int d) const {
    Real const edges = -Kokkos::floor((upright(x)[d] - lo_[d]) / length_[d]);
    vector y = moved(x, edges, d);
    if (upright(y)[d] >= hi_[d]) y = moved(x, edges - 1, d);
    Real const t = upright(y)[d];
    if (!(t < lo_[d])) return y;
    constexpr Real smallest = std::numeric_limits<Real>::min();
    Real const missing = lo_[d] - t;
    y[d] = neighbors::detail::first_number(y[d], missing > smallest ? missing : smallest, [&](Real raised) {
      vector z = y;
      z[d] = raised;
      return upright(z)[d] >= lo_[d];
    });
    return y;
  }

  /// How far outside of an open direction a position on its border may be, by the roundings of upright() and of the sum
  /// lo + f a + g b + h c that the position came from. 0 where no tilt changes the coordinate. Pre: x is wrapped.
  KOKKOS_FUNCTION Real open_rounding(vector const& x, int d) const {
    Real const size[3] = {Kokkos::abs(x[0]) + Kokkos::abs(lo_[0]), Kokkos::abs(x[1]) + Kokkos::abs(lo_[1]),
                          Kokkos::abs(x[2]) + Kokkos::abs(lo_[2])};
    Real const xy = Kokkos::abs(tilt_.xy), xz = Kokkos::abs(tilt_.xz), yz = Kokkos::abs(tilt_.yz);
    if (d == 2 || (d == 1 ? yz == 0 : xy == 0 && xz == 0)) return 0;
    Real const z = 8 * epsilon * size[2], y = Kokkos::fma(yz / length_[2], z, 8 * epsilon * (size[1] + yz));
    if (d == 1) return y;
    return Kokkos::fma(xz / length_[2], z, Kokkos::fma(xy / length_[1], y, 8 * epsilon * (size[0] + xy + xz)));
  }

  vector lo_, hi_, length_;
  upsweep::tilt<Real> tilt_{};
  Kokkos::Array<bool, 3> periodic_;
  bool leans_ = false;
};

}  // namespace upsweep
