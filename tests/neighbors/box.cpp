// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Boxes by themselves: wrapping, faults of positions, shifts of images, and what a box refuses to be.

#include "../oracle/views.hpp"
#include "boxes.hpp"

#include <upsweep/base/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

using fault_kind = upsweep::position_fault::kind;

using oracle::same_bits;
using oracle::vector3;

/// Random boxes and positions in and around them.
template <class Real>
class generator {
 public:
  explicit generator(unsigned seed) : engine_(seed) {}

  double real(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine_); }
  int pick(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }

  /// One of three boxes is at the origin, one near it, one far away; one of four is orthogonal.
  upsweep::box<Real> box(bool open_directions) {
    vector3<Real> lo, hi;
    Kokkos::Array<bool, 3> periodic{true, true, true};
    for (int d = 0; d < 3; ++d) {
      double const length = std::exp(real(-3, 3));
      int const place = pick(0, 2);
      double const far = length * std::pow(10.0, real(0, sizeof(Real) == 4 ? 3 : 9));
      lo[d] = place == 0 ? Real(0) : static_cast<Real>(real(-1, 1) * (place == 1 ? 10 * length : far));
      hi[d] = lo[d] + static_cast<Real>(length);
      if (open_directions) periodic[d] = pick(0, 1) == 1;
    }
    Real const x = hi[0] - lo[0], y = hi[1] - lo[1];
    upsweep::tilt<Real> tilt{};
    if (pick(0, 3) > 0) {
      double const most = 0.99 * std::pow(double(upsweep::box<Real>::largest_tilt), real(-1, 1));
      auto const some = [&](Real length) {
        return pick(0, 4) == 0 ? Real(0) : static_cast<Real>(real(-most, most) * length);
      };
      tilt = {.xy = some(x), .xz = some(x), .yz = some(y)};
    }
    return upsweep::box<Real>::triclinic(lo, hi, tilt, periodic);
  }

  /// On a lattice, on a border, next to one, or anywhere; up to three edges away in periodic directions, seldom more.
  vector3<Real> position(upsweep::box<Real> const& box) {
    Real f[3];
    for (int d = 0; d < 3; ++d) {
      bool const periodic = box.periodic(d);
      switch (pick(0, 3)) {
        case 0: f[d] = static_cast<Real>(pick(periodic ? -4 : 0, 4)) / 4; break;
        case 1: f[d] = static_cast<Real>(pick(periodic ? -60 : 0, periodic ? 60 : 20)) / 20; break;
        case 2: f[d] = static_cast<Real>(periodic && pick(0, 9) == 0 ? real(-1000, 1000) : real(0, 1)); break;
        default: f[d] = static_cast<Real>(real(periodic ? -3 : 0, periodic ? 4 : 1));
      }
    }
    auto x = at(box, f);
    int const d = pick(0, 2);
    Real const towards = static_cast<Real>(pick(0, 1) == 0 ? -1e30 : 1e30);
    if (pick(0, 4) == 0 && box.periodic(d)) x[d] = std::nextafter(x[d], towards);
    return x;
  }

  /// lo + f a + g b + h c, rounded at each step.
  static vector3<Real> at(upsweep::box<Real> const& box, Real const (&f)[3]) {
    vector3<Real> x{box.lo(0), box.lo(1), box.lo(2)};
    for (int d = 0; d < 3; ++d)
      for (int c = 0; c <= d; ++c) x[c] += f[d] * box.edge(d)[c];
    return x;
  }

 private:
  std::mt19937_64 engine_;
};

/// How far, in edges, the way from x to `wrapped` is from whole edges.
template <class Real>
double off_whole_edges(upsweep::box<Real> const& box, vector3<Real> const& x, vector3<Real> const& wrapped) {
  long double way[3], worst = 0;
  for (int d = 0; d < 3; ++d) way[d] = static_cast<long double>(wrapped[d]) - x[d];
  for (int d = 2; d >= 0; --d) {
    long double const edges = way[d] / box.length(d), whole = std::round(edges);
    worst = std::max(worst, std::abs(edges - whole));
    for (int c = 0; c <= d; ++c) way[c] -= whole * box.edge(d)[c];
  }
  return static_cast<double>(worst);
}

template <class Real>
void wrap_again(bool open_directions) {
  generator<Real> random(1);
  int outside = 0;
  for (int b = 0; b < 2000; ++b) {
    auto const box = random.box(open_directions);
    for (int k = 0; k < 30; ++k) {
      auto const x = random.position(box);
      auto const once = box.wrap(x), twice = box.wrap(once), t = box.upright(once);
      ASSERT_TRUE(same_bits(once, twice)) << "box " << b << " at " << x[0] << ' ' << x[1] << ' ' << x[2];
      bool moved = false;
      for (int d = 0; d < 3; ++d) {
        moved = moved || once[d] != x[d];
        ASSERT_TRUE(!box.periodic(d) || (t[d] >= box.lo(d) && t[d] < box.hi(d))) << "box " << b << " direction " << d;
      }
      outside += moved;
      ASSERT_LT(off_whole_edges(box, x, once), sizeof(Real) == 4 ? 0.02 : 1e-5) << "box " << b;
    }
  }
  EXPECT_GT(outside, 10000);
}

TEST(box, wrapping_again_changes_no_bit_in_double) { wrap_again<double>(false); }
TEST(box, wrapping_again_changes_no_bit_in_float) { wrap_again<float>(false); }
TEST(box, wrapping_again_changes_no_bit_with_open_directions_in_double) { wrap_again<double>(true); }
TEST(box, wrapping_again_changes_no_bit_with_open_directions_in_float) { wrap_again<float>(true); }

// A second, slower description of the same wrap (oracle::wrapped) gives the same bits.
template <class Real>
void wrap_as_described() {
  generator<Real> random(2);
  for (int b = 0; b < 400; ++b) {
    auto const box = random.box(b % 2 == 0);
    oracle::cell_box<Real> const described{{box.lo(0), box.lo(1), box.lo(2)},
                                           {box.hi(0), box.hi(1), box.hi(2)},
                                           {box.periodic(0), box.periodic(1), box.periodic(2)},
                                           {box.tilt().xy, box.tilt().xz, box.tilt().yz}};
    for (int k = 0; k < 30; ++k) {
      auto const x = random.position(box), w = box.wrap(x);
      auto const expected = oracle::wrapped(described, std::array<Real, 3>{x[0], x[1], x[2]});
      for (std::size_t d = 0; d < 3; ++d) ASSERT_EQ(w[d], expected[d]) << "box " << b << " direction " << d;
    }
  }
}

TEST(box, wraps_as_described) {
  wrap_as_described<double>();
  wrap_as_described<float>();
}

template <class Real>
struct wrap_kernel {
  upsweep::box<Real> box;
  Kokkos::View<vector3<Real>*, oracle::memory> x;
  KOKKOS_FUNCTION void operator()(int i) const { x(i) = box.wrap(x(i)); }
};

template <class Real>
void wrap_on_device() {
  generator<Real> random(3);
  for (int b = 0; b < 20; ++b) {
    auto const box = random.box(b % 2 == 0);
    std::vector<vector3<Real>> x, expected;
    for (int k = 0; k < 500; ++k) {
      x.push_back(random.position(box));
      expected.push_back(box.wrap(x.back()));
    }
    auto const device = oracle::to_device(x);
    Kokkos::parallel_for(Kokkos::RangePolicy<oracle::space>(0, 500), wrap_kernel<Real>{box, device});
    auto const got = oracle::to_host(device);
    for (std::size_t k = 0; k < 500; ++k)
      ASSERT_TRUE(same_bits(got[k], expected[k])) << "box " << b << " position " << k;
  }
}

TEST(box, wraps_to_the_same_bits_in_kernels) {
  wrap_on_device<double>();
  wrap_on_device<float>();
}

TEST(box, first_number_is_the_smallest_that_holds) {
  using upsweep::neighbors::detail::first_number;
  auto const from = [](auto border) { return [border](auto x) { return x >= border; }; };
  EXPECT_EQ(first_number(-1.0, 1e-3, from(0.0)), 0.0);
  EXPECT_EQ(first_number(-1e-300, 1.0, from(5e-324)), 5e-324);
  EXPECT_EQ(first_number(-5.0, 1e-16, from(-4.75)), -4.75);
  float const next = 1.0f + std::numeric_limits<float>::epsilon();
  EXPECT_EQ(first_number(1.0f, 1e-30f, from(next)), next);
  EXPECT_EQ(first_number(0.0, 0.1, [](double x) { return x * x >= 4; }), 2.0);
}

// ---- faults

template <class Real>
void faces_of_open_boxes() {
  generator<Real> random(4);
  for (int b = 0; b < 2000; ++b) {
    auto const box = random.box(true);
    for (int k = 0; k < 20; ++k) {
      Real const f[3] = {Real(random.pick(0, 3)) / 4, Real(random.pick(0, 3)) / 4, Real(random.pick(0, 3)) / 4};
      auto const x = random.at(box, f);
      ASSERT_EQ(box.fault(x).what, fault_kind::none)
          << "box " << b << " position " << f[0] << ' ' << f[1] << ' ' << f[2] << ' ' << box.describe(box.fault(x));
      ASSERT_EQ(box.fault(box.wrap(x)).what, fault_kind::none);
    }
    // A position that is outside by more than rounding is refused, and so it is after wrapping.
    int const d = random.pick(0, 2);
    if (box.periodic(d)) continue;
    Real const off = Real(0.15);
    Real f[3] = {Real(0.5), Real(0.5), Real(0.5)};
    f[d] = random.pick(0, 1) == 0 ? -off : 1 + off;
    for (auto const& x : {random.at(box, f), box.wrap(random.at(box, f))}) {
      ASSERT_EQ(box.fault(x).what, fault_kind::outside) << "box " << b;
      ASSERT_EQ(box.fault(x).direction, d) << "box " << b;
    }
  }
}

TEST(box, atoms_on_the_faces_of_open_boxes_are_inside) {
  faces_of_open_boxes<double>();
  faces_of_open_boxes<float>();
}

TEST(box, positions_that_cannot_be_used) {
  double const inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  upsweep::box<double> const cube({0, 0, 0}, {10, 10, 10}), slab({0, 0, 0}, {10, 10, 10}, {true, true, false});
  auto const leaning = upsweep::box<double>::triclinic({0, 0, 0}, {10, 10, 10}, {.xy = 1, .xz = 2, .yz = 3});
  for (auto const& box : {cube, leaning}) {
    auto const fault = [&](int d, double value) {
      vector3<double> x{5, 5, 5};
      x[d] = value;
      auto const found = box.fault(x);
      EXPECT_TRUE(!found || found.direction == d) << value;
      return found.what;
    };
    for (int d = 0; d < 3; ++d) {
      for (double bad : {inf, -inf, nan}) EXPECT_EQ(fault(d, bad), fault_kind::not_finite);
      for (double bad : {1e300, -1e300, 1.7e308, 2.2e10, -2.2e10}) EXPECT_EQ(fault(d, bad), fault_kind::too_far) << bad;
      for (double good : {1e9, -1e9, 10.0, 0.0, -1e-300}) EXPECT_EQ(fault(d, good), fault_kind::none) << good;
    }
  }
  EXPECT_EQ(slab.fault({5, 5, 10}).what, fault_kind::none);
  EXPECT_EQ(slab.fault({5, 5, std::nextafter(10.0, 11)}).what, fault_kind::outside);
  EXPECT_EQ(slab.describe(slab.fault({5, 5, 11})), "is outside of the box in the open direction z");
  EXPECT_EQ(cube.describe(cube.fault({5, 1e300, 5})),
            "is more than 1073741824 edges away in the periodic direction y: rounding has lost its place in the box");
  EXPECT_EQ(cube.describe(cube.fault({nan, 5, 5})), "is not finite");
  upsweep::box<float> const coarse({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(coarse.fault({65000, 0, 0}).what, fault_kind::none);
  EXPECT_EQ(coarse.fault({0, -66000, 0}).what, fault_kind::too_far);
}

// ---- shifts

TEST(box, a_shift_is_a_sum_of_edges) {
  auto const box = upsweep::box<double>::triclinic({1, 2, 3}, {5, 10, 19}, {.xy = 0.5, .xz = -1.25, .yz = 2});
  auto const shift = box.shift(upsweep::image(2, -1, 3));
  EXPECT_EQ(shift[0], 2 * 4 - 0.5 + 3 * -1.25);
  EXPECT_EQ(shift[1], -8 + 3 * 2.0);
  EXPECT_EQ(shift[2], 48);
  for (int d = 0; d < 3; ++d) {
    EXPECT_EQ(box.shift(upsweep::image(d == 0, d == 1, d == 2)), box.edge(d));
    EXPECT_EQ(box.shift(upsweep::image(-2, 1, -3))[d], -shift[d]);
  }
}

// ---- what a box refuses to be

template <class Real>
std::string refusal(vector3<Real> const& lo, vector3<Real> const& hi, upsweep::tilt<Real> const& tilt) {
  try {
    upsweep::box<Real>::triclinic(lo, hi, tilt);
  } catch (upsweep::precondition_error const& e) {
    return e.what();
  }
  return "nothing thrown";
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(box, tilts_that_are_too_large_for_rounding) {
  using boxes = upsweep::tilt<double>;
  vector3<double> const lo{0, 0, 0}, hi{2, 3, 4};
  for (auto const& most : {boxes{.xy = 2000}, boxes{.xz = -2000}, boxes{.yz = 3000}})
    EXPECT_EQ(refusal(lo, hi, most), "nothing thrown");
  std::string const x = " is more than 1000 times the edge in direction x";
  std::string const y = " is more than 1000 times the edge in direction y";
  EXPECT_SAYS(refusal(lo, hi, {.xy = 2001}), "the tilt xy = 2001" + x);
  EXPECT_SAYS(refusal(lo, hi, {.xz = -2001}), "the tilt xz = -2001" + x);
  EXPECT_SAYS(refusal(lo, hi, {.yz = 3001}), "the tilt yz = 3001" + y);
  EXPECT_SAYS(refusal<float>({0, 0, 0}, {2, 3, 4}, {.yz = 31}), "is more than 10 times the edge in direction y");
  EXPECT_EQ(refusal<float>({0, 0, 0}, {2, 3, 4}, {.yz = 30}), "nothing thrown");
}

TEST(box, edges_that_are_too_short_for_rounding) {
  EXPECT_SAYS(refusal<double>({1e15, 0, 0}, {1e15 + 1, 1, 1}, {.yz = 1}), "direction x of a triclinic box is 1 long");
  EXPECT_SAYS(refusal<float>({0, 0, 1e6f}, {1, 1, 1e6f + 1}, {.xy = 1}), "less than 64 roundings of coordinates");
  EXPECT_EQ(refusal<double>({1e13, 0, 0}, {1e13 + 1, 1, 1}, {.yz = 1}), "nothing thrown");
  EXPECT_EQ(refusal<double>({1e15, 0, 0}, {1e15 + 1, 1, 1}, {}), "nothing thrown") << "orthogonal boxes need no room";
}

}  // namespace
