// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/box/describe_flat_box.hpp>
#include <upsweep/neighbors/detail/box/edge_frame.hpp>
#include <upsweep/neighbors/detail/box/edge_normals.hpp>
#include <upsweep/neighbors/detail/box/first_number.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/position_fault.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string>

namespace upsweep {

/// How far the edges of a triclinic box lean: its edges are (Lx, 0, 0), (xy, Ly, 0) and (xz, yz, Lz). Any sign; how
/// much is allowed, box::triclinic says.
template <std::floating_point Real>
struct tilt {
  Real xy = 0, xz = 0, yz = 0;
};

/// A simulation box, half-open [lo, hi) in each direction, each direction periodic or open; orthogonal, triclinic with
/// edges as in `tilt`, or of any three edges. box<double>({0, 0, 0}, {10, 10, 10}) is periodic in all directions;
/// box<double>::triclinic({0, 0, 0}, {10, 10, 10}, {.xy = 3}) leans to the right;
/// box<double>::of_edges({0, 5, 5}, {5, 0, 5}, {5, 5, 0}) is the primitive cell of an fcc crystal.
/// Throws: precondition_error when a border or a tilt is not finite, hi <= lo, or triclinic() or of_edges() refuses.
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
      edges_[d] = {0, 0, 0};
      edges_[d][d] = length_[d] = hi[d] - lo[d];
      internal::require(std::isfinite(lo[d]) && std::isfinite(hi[d]) && hi[d] > lo[d] && std::isfinite(length_[d]),
                        "box", [&] {
                          return std::string("direction ") + "xyz"[d] + " runs from " + internal::text_of(lo[d]) +
                                 " to " + internal::text_of(hi[d]) + "; borders must be finite and hi > lo";
                        });
    }
  }

  /// A box with tilted edges. Throws: precondition_error when |xy| or |xz| is more than `largest_tilt` times Lx, |yz|
  /// more than that times Ly, or an edge shorter than 64 roundings of its coordinates, tilts included: wrapping needs
  /// as much.
  static box triclinic(vector const& lo, vector const& hi, upsweep::tilt<Real> const& tilt,
                       Kokkos::Array<bool, 3> const& periodic = {true, true, true}) {
    box result(lo, hi, periodic);
    internal::require(std::isfinite(tilt.xy) && std::isfinite(tilt.xz) && std::isfinite(tilt.yz), "box", [&] {
      return "the tilt (xy " + internal::text_of(tilt.xy) + ", xz " + internal::text_of(tilt.xz) + ", yz " +
             internal::text_of(tilt.yz) + ") must be finite";
    });
    result.edges_[1][0] = tilt.xy;
    result.edges_[2][0] = tilt.xz;
    result.edges_[2][1] = tilt.yz;
    if (tilt.xy != 0 || tilt.xz != 0 || tilt.yz != 0) {
      result.shape_ = shape::tilted;
      result.require_room_for_rounding();
    }
    return result;
  }

  /// A box of any three edges, left-handed ones, too, with a corner at `origin`: what ASE calls a cell. A direction
  /// that is not periodic bounds nothing: particles are anywhere along it, and its edge may be anything that is finite,
  /// such as zero.
  ///
  /// Positions are wrapped by whole edges, except where one is outside by no more than rounding: none is moved by
  /// anything else, so sums and differences that are exact stay so. A periodic box of edges along x, y and z is the
  /// orthogonal one. One of edges as in `tilt` has the same pairs as triclinic(), but may see a particle on its face
  /// in another image, since triclinic() moves what rounding leaves below lo.
  /// Throws: precondition_error when a number is not finite, a periodic edge is zero, or periodic edges are parallel,
  /// in one plane, or so nearly so that the box is less than 4096 roundings of its edges and origin high. The error
  /// says which of these it is, and names the edges.
  static box of_edges(vector const& a, vector const& b, vector const& c,
                      Kokkos::Array<bool, 3> const& periodic = {true, true, true}, vector const& origin = {0, 0, 0}) {
    Kokkos::Array<vector, 3> const edges{a, b, c};
    bool orthogonal = true;
    vector hi = origin;
    for (int k = 0; k < 3; ++k) {
      for (int d = 0; d < 3; ++d) {
        internal::require(std::isfinite(edges[k][d]) && std::isfinite(origin[d]), "box", [&] {
          return std::string("edge ") + "abc"[k] + " has the component " + internal::text_of(edges[k][d]) +
                 ", the origin " + internal::text_of(origin[d]) + "; they must be finite";
        });
        orthogonal = orthogonal && (d == k ? edges[k][d] > 0 : edges[k][d] == 0);
      }
      hi[k] += edges[k][k];
      orthogonal = orthogonal && periodic[k] && hi[k] - origin[k] == edges[k][k];
    }
    if (orthogonal) return box(origin, hi, periodic);
    box result({0, 0, 0}, {1, 1, 1}, periodic);
    result.shape_ = shape::any;
    result.edges_ = edges;
    result.frame_.origin = origin;
    result.measure_edges();
    return result;
  }

  /// The borders of upright coordinates, and how far they are apart. In a box of any edges they are 0 and its height
  /// over the face of the other periodic edges; 1 in an open direction, which has no borders.
  KOKKOS_FUNCTION Real lo(int d) const { return lo_[d]; }
  KOKKOS_FUNCTION Real hi(int d) const { return hi_[d]; }
  KOKKOS_FUNCTION Real length(int d) const { return length_[d]; }
  KOKKOS_FUNCTION bool periodic(int d) const { return periodic_[d]; }
  /// Of the three edges, periodic or not.
  KOKKOS_FUNCTION Real volume() const {
    if (shape_ != shape::any) return length_[0] * length_[1] * length_[2];
    vector const &a = edges_[0], &b = edges_[1], &c = edges_[2];
    return Kokkos::abs(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                       a[2] * (b[0] * c[1] - b[1] * c[0]));
  }
  KOKKOS_FUNCTION bool is_orthogonal() const { return shape_ == shape::orthogonal; }
  /// Whether it is not orthogonal.
  KOKKOS_FUNCTION bool is_triclinic() const { return shape_ != shape::orthogonal; }
  /// Whether it was made of_edges() that are not those of an orthogonal box.
  KOKKOS_FUNCTION bool is_of_edges() const { return shape_ == shape::any; }
  /// Pre: !is_of_edges().
  KOKKOS_FUNCTION upsweep::tilt<Real> tilt() const { return {edges_[1][0], edges_[2][0], edges_[2][1]}; }
  /// The corner that the edges begin at.
  KOKKOS_FUNCTION vector origin() const { return shape_ == shape::any ? frame_.origin : lo_; }

  /// Coordinate d brought into [lo, hi) where d is periodic, else left alone: x = fma(-floor((x-lo)/L), L, x), hi
  /// becoming lo. Every rank and backend gets the same bits. Pre: is_orthogonal(); no fault(). Inlined by order, as the
  /// other form is: GCC 16 calls it for each coordinate, and the cells of 256,000 particles take 3.6 ms, not 0.9 (one
  /// core of an EPYC, 2026-11-28).
  KOKKOS_FORCEINLINE_FUNCTION Real wrap(Real x, int d) const {
    if (!periodic_[d] || (x >= lo_[d] && x < hi_[d])) return x;
    Real const wrapped = Kokkos::fma(-Kokkos::floor((x - lo_[d]) / length_[d]), length_[d], x);
    return wrapped >= lo_[d] && wrapped < hi_[d] ? wrapped : lo_[d];
  }

  /// A position brought into the box along its periodic edges: upright(wrap(x)) is in [lo, hi) in every periodic
  /// direction, so wrap(wrap(x)) is wrap(x), bit by bit. The images of a list's pairs are relative to these
  /// positions.
  ///
  /// In a triclinic box whole edges are taken off in z, then y, then x. What rounding leaves below lo is raised to the
  /// first number that is inside. In a box of any edges it is left there, so upright(wrap(x)) may be below 0 by some
  /// roundings. The same bits on every rank and backend. Pre: no fault().
  KOKKOS_FORCEINLINE_FUNCTION vector wrap(vector x) const {
    if (shape_ == shape::orthogonal) return {wrap(x[0], 0), wrap(x[1], 1), wrap(x[2], 2)};
    return wrap_along_edges(x);
  }

  /// The whole edges that wrap(x) takes off: wrap(x) is x - n_0 a - n_1 b - n_2 c, except for roundings, with a, b and
  /// c the edges and n what this returns. 0 in open directions, and for what is wrapped. Pre: no fault().
  KOKKOS_FUNCTION Kokkos::Array<int, 3> edges_off(vector const& x) const {
    vector edges;
    if (shape_ == shape::any) {
      without_any_edges(x, edges);
    } else {
      vector const wrapped = wrap(x);
      vector way = {x[0] - wrapped[0], x[1] - wrapped[1], x[2] - wrapped[2]};
      for (int d = 2; d >= 0; --d) {
        edges[d] = periodic_[d] ? Kokkos::round(way[d] / length_[d]) : Real(0);
        way = moved(way, -edges[d], d);
      }
    }
    return {static_cast<int>(edges[0]), static_cast<int>(edges[1]), static_cast<int>(edges[2])};
  }

  /// Why x cannot be used, if it cannot: it is not finite, it is more than `farthest` edges away in a periodic
  /// direction, or it is outside in an open direction. hi is inside there, and in a triclinic box so is what rounding
  /// may have moved out. In a box of any edges nothing is outside, and too far is also where rounding is larger than
  /// the box. `wrapped` is wrap(x).
  KOKKOS_FUNCTION position_fault fault(vector const& x, vector const& wrapped) const {
    using enum position_fault::kind;
    if (shape_ == shape::orthogonal && is_between_borders(x)) return {};  // most are
    for (int d = 0; d < 3; ++d)
      if (!Kokkos::isfinite(x[d])) return {not_finite, d};
    if (shape_ == shape::any) {
      for (int d = 0; d < 3; ++d)
        if (has_lost_its_place(x, wrapped, d)) return {too_far, d};
      return {};
    }
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
    if (shape_ == shape::any)
      return std::string("is so far away in direction ") + direction_name(fault.direction) +
             " that rounding has lost its place in the box";
    return "is more than " + std::to_string(static_cast<long>(farthest)) + " edges away in the periodic direction " +
           direction + ": rounding has lost its place in the box";
  }

  /// Coordinates along the edges, each as long as its edge in that direction: the position itself in an orthogonal box,
  /// and in [lo, hi) exactly for what is inside of a triclinic one. In a box of any edges: above the faces of periodic
  /// edges, in [0, height), except for rounding; in open directions the position along a unit vector at a right angle
  /// to periodic edges. Nothing is left to contract, so that every backend wraps alike.
  KOKKOS_FORCEINLINE_FUNCTION vector upright(vector x) const {
    if (shape_ == shape::orthogonal) return x;
    if (shape_ == shape::any) return {frame_.along(x, 0), frame_.along(x, 1), frame_.along(x, 2)};
    return upright_of_tilted(x);
  }

  /// The displacement of a periodic image, sx a + sy b + sz c with a, b and c the edges: shift(image(1, 0, 0)) is the
  /// first edge. A neighbour j in image s is at x_j + shift(s) as seen from i. The opposite image's is the exact
  /// opposite. Never contracted with the sum it goes into, so that (x_j - x_i) + shift has the same bits everywhere.
  KOKKOS_FUNCTION vector shift(image const& s) const {
    Real const n[3] = {static_cast<Real>(s.x()), static_cast<Real>(s.y()), static_cast<Real>(s.z())};
    vector sum;
    for (int d = 0; d < 3; ++d) sum[d] = Kokkos::fma(n[d], length_[d], Real(0));
    if (shape_ == shape::orthogonal) return sum;
    // In a triclinic box edges have zeros, whose multiply-adds are exact.
    for (int d = 0; d < 3; ++d)
      sum[d] =
          Kokkos::fma(n[2], edges_[2][d], Kokkos::fma(n[1], edges_[1][d], Kokkos::fma(n[0], edges_[0][d], Real(0))));
    return sum;
  }

  /// Edge d of the box.
  KOKKOS_FUNCTION vector edge(int d) const { return edges_[d]; }

  /// What messages call direction d: x, y or z, in a box of any edges a, b or c.
  char direction_name(int d) const { return (shape_ == shape::any ? "abc" : "xyz")[d]; }

  /// How positions are measured in a box of any edges; else empty.
  KOKKOS_FUNCTION neighbors::detail::edge_frame<Real> const& frame() const { return frame_; }

 private:
  enum class shape : unsigned char { orthogonal, tilted, any };
  static constexpr Real epsilon = std::numeric_limits<Real>::epsilon();

  /// Normals, heights and sizes from the edges, of which Throws in of_edges() says what is refused.
  void measure_edges() {
    std::array<neighbors::detail::vector_of_3, 3> edges;
    neighbors::detail::box_heights heights{.periodic = {periodic_[0], periodic_[1], periodic_[2]}};
    double size = 0, origin = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      vector const edge = edges_[k];
      edges[k] = {double(edge[0]), double(edge[1]), double(edge[2])};
      origin += std::abs(double(frame_.origin[k]));
      for (double const c : edges[k]) size += periodic_[k] ? std::abs(c) : 0;
    }
    auto const normals = neighbors::detail::edge_normals(edges, heights.periodic);
    auto const least = [this](double of) {
      return std::max(frame_.least_height * double(epsilon) * of, double(std::numeric_limits<Real>::min()));
    };
    heights.least_of_edges = least(size);
    heights.size = size += origin;
    heights.least = least(size);
    frame_.size = static_cast<Real>(size);
    internal::require(std::isfinite(frame_.size), "box", [&] {
      return "the edges and the origin are too large: their components add up to " + internal::text_of_measured(size) +
             ", more than the largest number";
    });
    for (std::size_t k = 0; k < 3; ++k) {
      neighbors::detail::vector_of_3 rounded;
      for (std::size_t d = 0; d < 3; ++d) rounded[d] = frame_.normals[k][d] = static_cast<Real>(normals[k][d]);
      lo_[k] = 0;
      hi_[k] = length_[k] =
          heights.periodic[k] ? static_cast<Real>(neighbors::detail::dot(edges[k], rounded)) : Real(1);
      heights.height[k] = double(length_[k]);
    }
    if (heights.any_low())
      throw precondition_error("box: " + neighbors::detail::describe_flat_box(heights, frame_.least_height));
  }

  void require_room_for_rounding() const {
    auto const check = [this](char const* name, Real tilt, int d) {
      internal::require(std::abs(tilt) <= largest_tilt * length_[d], "box", [&] {
        return std::string("the tilt ") + name + " = " + internal::text_of(tilt) + " is more than " +
               std::to_string(static_cast<int>(largest_tilt)) + " times the edge in direction " + "xyz"[d] +
               ", which is " + internal::text_of(length_[d]) + " long; take whole edges off the tilt";
      });
    };
    auto const [xy, xz, yz] = tilt();
    check("xy", xy, 0);
    check("xz", xz, 0);
    check("yz", yz, 1);
    Real const tilts[3] = {std::abs(xy) + std::abs(xz), std::abs(yz), 0};
    for (int d = 0; d < 3; ++d) {
      Real const largest = std::max(std::abs(lo_[d]), std::abs(hi_[d])) + tilts[d];
      internal::require(length_[d] >= 64 * epsilon * largest, "box", [&] {
        return std::string("direction ") + "xyz"[d] + " of a triclinic box is " + internal::text_of(length_[d]) +
               " long, which is less than 64 roundings of coordinates as large as " + internal::text_of(largest);
      });
    }
  }

  KOKKOS_FUNCTION vector upright_of_tilted(vector x) const {
    Real const fz = (x[2] - lo_[2]) / length_[2];
    x[1] = Kokkos::fma(-fz, edges_[2][1], x[1]);
    Real const fy = (x[1] - lo_[1]) / length_[1];
    x[0] = Kokkos::fma(-fz, edges_[2][0], Kokkos::fma(-fy, edges_[1][0], x[0]));
    return x;
  }

  /// Apart from wrap(), so that loops over particles of orthogonal boxes stay short.
  KOKKOS_FUNCTION vector wrap_along_edges(vector x) const {
    if (shape_ == shape::any) {
      vector edges;
      return without_any_edges(x, edges);
    }
    vector const t = upright_of_tilted(x);
    if (is_inside(t, 0) && is_inside(t, 1) && is_inside(t, 2)) return x;
    // Upright coordinate d depends on x[d] and on later coordinates only, so a later step leaves what earlier ones did
    // alone.
    for (int d = 2; d >= 0; --d)
      if (!is_inside(upright_of_tilted(x), d)) x = without_edges(x, d);
    return x;
  }

  KOKKOS_FUNCTION bool is_between_borders(vector const& t) const {
    bool between = true;
    for (int d = 0; d < 3; ++d) between = between && t[d] >= lo_[d] && t[d] < hi_[d];
    return between;
  }

  /// Whether upright coordinates need no wrapping in direction d.
  KOKKOS_FUNCTION bool is_inside(vector const& t, int d) const {
    return !periodic_[d] || (t[d] >= lo_[d] && t[d] < hi_[d]);
  }

  KOKKOS_FUNCTION bool is_too_far(Real x, int d) const { return !(Kokkos::abs((x - lo_[d]) / length_[d]) <= farthest); }

  KOKKOS_FUNCTION vector moved(vector x, Real edges, int d) const {
    vector const& e = edges_[d];
    for (int c = 0; c <= d; ++c) x[c] = Kokkos::fma(edges, e[c], x[c]);
    return x;
  }

  /// The whole edges by which x is outside in each direction of a box of any edges; 0 where it is inside, open
  /// directions included.
  KOKKOS_FUNCTION vector edges_outside(vector const& x) const {
    vector edges{0, 0, 0};
    UPSWEEP_UNROLL
    for (int d = 0; d < 3; ++d) {
      if (!periodic_[d]) continue;
      Real const t = frame_.along(x, d);
      if (t >= 0 && t < length_[d]) continue;
      if (!(t < 0 && t >= -frame_.tolerance(x, d))) edges[d] = Kokkos::floor(t / length_[d]);
    }
    return edges;
  }

  /// x brought inside of a box of any edges by whole edges, and how many.
  ///
  /// A step leaves at most 1/290 of the edges that it takes off, by rounding, and that much only in the flattest box
  /// (edge_frame.hpp: 14 e s, where h is at least 4096 e s). From `farthest` four steps lead to within an edge, and
  /// three more to an end: what is taken off in one direction moves the others by less than a quarter of the tolerance.
  /// What comes out is inside, so that wrapping it again returns it; a position for which that fails has a fault().
  KOKKOS_FUNCTION vector without_any_edges(vector x, vector& edges) const {
    constexpr int most_steps = 12;
    edges = {0, 0, 0};
    UPSWEEP_NO_UNROLL
    for (int step = 0; step < most_steps; ++step) {
      vector const off = edges_outside(x);
      if (off[0] == 0 && off[1] == 0 && off[2] == 0) break;
      for (int d = 0; d < 3; ++d) edges[d] += off[d];
      for (int d = 0; d < 3; ++d)
        x[d] = Kokkos::fma(-off[2], edges_[2][d],
                           Kokkos::fma(-off[1], edges_[1][d], Kokkos::fma(-off[0], edges_[0][d], x[d])));
    }
    return x;
  }

  /// Whether rounding keeps a position from being used in a box of any edges; true for what is not a number. In an open
  /// direction only the largest numbers are too far: differences must not overflow.
  KOKKOS_FUNCTION bool has_lost_its_place(vector const& x, vector const& wrapped, int d) const {
    constexpr Real largest = internal::finite_max<Real> / 4;
    Real const t = frame_.along(x, d);
    if (!periodic_[d]) return !(Kokkos::abs(t) <= largest);
    return !(Kokkos::abs(t / length_[d]) <= farthest && frame_.tolerance(x, d) <= length_[d] &&
             frame_.tolerance(wrapped, d) <= length_[d] / 16 && edges_outside(wrapped)[d] == 0);
  }

  /// x brought inside in direction d. Rounding of the quotient may leave it a little beyond hi, which one more edge
  /// mends, or a little below lo.
  KOKKOS_FUNCTION vector without_edges(vector const& x, int d) const {
    Real const edges = -Kokkos::floor((upright_of_tilted(x)[d] - lo_[d]) / length_[d]);
    vector y = moved(x, edges, d);
    if (upright_of_tilted(y)[d] >= hi_[d]) y = moved(x, edges - 1, d);
    Real const t = upright_of_tilted(y)[d];
    if (!(t < lo_[d])) return y;
    constexpr Real smallest = internal::normal_min<Real>;
    Real const missing = lo_[d] - t;
    y[d] = neighbors::detail::first_number(y[d], missing > smallest ? missing : smallest, [&](Real raised) {
      vector z = y;
      z[d] = raised;
      return upright_of_tilted(z)[d] >= lo_[d];
    });
    return y;
  }

  /// How far outside of an open direction a position on its border may be, by the roundings of upright() and of the sum
  /// lo + f a + g b + h c that the position came from. 0 where no tilt changes the coordinate. Pre: x is wrapped.
  KOKKOS_FUNCTION Real open_rounding(vector const& x, int d) const {
    Real const size[3] = {Kokkos::abs(x[0]) + Kokkos::abs(lo_[0]), Kokkos::abs(x[1]) + Kokkos::abs(lo_[1]),
                          Kokkos::abs(x[2]) + Kokkos::abs(lo_[2])};
    Real const xy = Kokkos::abs(edges_[1][0]), xz = Kokkos::abs(edges_[2][0]), yz = Kokkos::abs(edges_[2][1]);
    if (d == 2 || (d == 1 ? yz == 0 : xy == 0 && xz == 0)) return 0;
    Real const z = 8 * epsilon * size[2], y = Kokkos::fma(yz / length_[2], z, 8 * epsilon * (size[1] + yz));
    if (d == 1) return y;
    return Kokkos::fma(xz / length_[2], z, Kokkos::fma(xy / length_[1], y, 8 * epsilon * (size[0] + xy + xz)));
  }

  vector lo_, hi_, length_;
  Kokkos::Array<vector, 3> edges_;
  neighbors::detail::edge_frame<Real> frame_{};  ///< of a box of any edges
  Kokkos::Array<bool, 3> periodic_;
  shape shape_ = shape::orthogonal;
};

}  // namespace upsweep
