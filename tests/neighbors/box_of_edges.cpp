// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Boxes of any three edges by themselves: wrapping, the edges that it takes off, shifts, and what they refuse to be.

#include "../oracle/lattice.hpp"
#include "../oracle/message_of.hpp"
#include "../oracle/views.hpp"
#include "boxes.hpp"
#include "random_edges.hpp"

#include <upsweep/neighbors/needs_rebuild.hpp>
#include <upsweep/neighbors/unwrapped_image.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace {

using fault_kind = upsweep::position_fault::kind;
using oracle::edge_box;
using oracle::edge_generator;

using oracle::same_bits;
using oracle::vector3;

/// On a corner, on a face, next to one, or anywhere, up to `far` edges away.
template <class Real>
vector3<Real> some_position(edge_generator& random, edge_box<Real> const& box, int far) {
  std::array<Real, 3> f;
  for (Real& c : f) {
    c = static_cast<Real>(random.pick(0, 2) == 0 ? random.pick(-8, 8) / 4.0 : random.real(0, 1));
    if (random.pick(0, 1) == 0) c += static_cast<Real>(random.pick(-far, far));
  }
  auto x = box.at(f);
  if (random.pick(0, 2) == 0)
    for (Real& c : x) c = std::nextafter(c, static_cast<Real>(random.pick(0, 1) == 0 ? -1e30 : 1e30));
  return {x[0], x[1], x[2]};
}

/// The largest component of wrapped - (x - n . edges).
template <class Real>
long double off_whole_edges(upsweep::box<Real> const& box, vector3<Real> const& x, vector3<Real> const& wrapped) {
  auto const n = box.edges_off(x);
  long double worst = 0;
  for (int d = 0; d < 3; ++d) {
    long double way = static_cast<long double>(wrapped[d]) - x[d];
    for (int k = 0; k < 3; ++k) way += static_cast<long double>(n[k]) * box.edge(k)[d];
    worst = std::max(worst, std::abs(way));
  }
  return worst;
}

template <class Real>
void wrap_again(int far) {
  constexpr double epsilon = std::numeric_limits<Real>::epsilon();
  edge_generator random(1);
  int moved = 0;
  for (int b = 0; b < 3000; ++b) {
    auto const edges = random.box<Real>(sizeof(Real) == 4 ? 1.5 : 5);
    auto const box = edges.library();
    if (!box.is_of_edges()) continue;
    double size = 0;
    for (auto const& edge : edges.edges)
      for (auto const c : edge) size += std::abs(double(c));
    for (int k = 0; k < 20; ++k) {
      auto const x = some_position(random, edges, far);
      if (box.fault(x)) {
        ASSERT_EQ(sizeof(Real), 4u) << "only floats are coarse enough: " << box.describe(box.fault(x));
        continue;
      }
      auto const once = box.wrap(x), twice = box.wrap(once), t = box.upright(once);
      ASSERT_TRUE(same_bits(once, twice)) << "box " << b << " at " << x[0] << ' ' << x[1] << ' ' << x[2];
      ASSERT_FALSE(box.fault(once));
      auto const again = box.edges_off(once), off = box.edges_off(x);
      for (int d = 0; d < 3; ++d) {
        ASSERT_EQ(again[d], 0);
        if (!box.periodic(d)) {
          ASSERT_EQ(off[d], 0);
          continue;
        }
        ASSERT_GE(double(t[d]), -double(box.frame().tolerance(once, d))) << "box " << b << " direction " << d;
        ASSERT_LT(t[d], box.length(d)) << "box " << b << " direction " << d;
      }
      moved += once != x;
      double coordinate = size;
      for (int d = 0; d < 3; ++d) coordinate += std::abs(double(x[d])) + std::abs(double(off[d])) * size;
      ASSERT_LE(off_whole_edges(box, x, once), 4 * epsilon * coordinate) << "box " << b;
    }
  }
  EXPECT_GT(moved, 10000);
}

TEST(box_of_edges, wrapping_again_changes_no_bit_in_double) {
  wrap_again<double>(3);
  wrap_again<double>(1000000);
}
TEST(box_of_edges, wrapping_again_changes_no_bit_in_float) {
  wrap_again<float>(3);
  wrap_again<float>(100);
}

// The other boxes count their edges, too.
template <class Real>
void count_edges_of(upsweep::box<Real> const& box, unsigned seed) {
  edge_generator random(seed);
  edge_box<Real> edges{{}, {true, true, true}, {box.lo(0), box.lo(1), box.lo(2)}};
  for (int k = 0; k < 3; ++k)
    for (int d = 0; d < 3; ++d) edges.edges[std::size_t(k)][std::size_t(d)] = box.edge(k)[d];
  for (int i = 0; i < 2000; ++i) {
    auto const x = some_position(random, edges, 1000);
    auto const w = box.wrap(x);
    auto const n = box.edges_off(w);
    EXPECT_TRUE(n[0] == 0 && n[1] == 0 && n[2] == 0);
    ASSERT_LT(off_whole_edges(box, x, w), 1e-3 * std::min({box.length(0), box.length(1), box.length(2)}));
  }
}

TEST(box_of_edges, orthogonal_and_triclinic_boxes_count_their_edges) {
  count_edges_of(upsweep::box<double>({-1, 2, 3}, {4, 9, 3.5}), 1);
  count_edges_of(upsweep::box<float>({-1, 2, 3}, {4, 9, 5.5}), 2);
  count_edges_of(upsweep::box<double>::triclinic({-1, 2, 3}, {4, 9, 3.5}, {.xy = 11, .xz = -3, .yz = 70}), 3);
  count_edges_of(upsweep::box<float>::triclinic({-1, 2, 3}, {4, 9, 5.5}, {.xy = 1, .xz = -3, .yz = 7}), 4);
  upsweep::box<double> const slab({0, 0, 0}, {5, 5, 5}, {true, false, true});
  EXPECT_EQ(slab.edges_off({-1e-18, 5, 5}), (Kokkos::Array<int, 3>{0, 0, 1}));
  EXPECT_EQ(slab.edges_off({-1, 5, 14.5}), (Kokkos::Array<int, 3>{-1, 0, 2}));
}

TEST(box_of_edges, an_unwrapped_image_is_that_of_positions_as_given) {
  auto const box = upsweep::box<double>::of_edges({0, 5, 5}, {5, 0, 5}, {5, 5, 0});
  // j is at the corner, i a quarter inside, each some edges away: 2 b for i, a - 3 c for j.
  vector3<double> const i{2.5 + 10, 2.5, 2.5 + 10}, j{-15, 5 - 15, 5};
  auto const s = upsweep::unwrapped_image(box, upsweep::image(1, 0, 0), i, j);
  EXPECT_EQ(s, (Kokkos::Array<int, 3>{1 + 0 - 1, 0 + 2 - 0, 0 + 0 + 3}));
}

template <class Real>
struct wrap_kernel {
  upsweep::box<Real> box;
  Kokkos::View<vector3<Real>*, oracle::memory> x;
  Kokkos::View<Kokkos::Array<int, 3>*, oracle::memory> edges;
  KOKKOS_FUNCTION void operator()(int i) const {
    edges(i) = box.edges_off(x(i));
    x(i) = box.wrap(x(i));
  }
};

template <class Real>
void wrap_on_device() {
  edge_generator random(3);
  for (int b = 0; b < 20; ++b) {
    auto const edges = random.box<Real>(2);
    auto const box = edges.library();
    std::vector<vector3<Real>> x, expected;
    for (int k = 0; k < 500; ++k) {
      x.push_back(some_position(random, edges, 10));
      expected.push_back(box.wrap(x.back()));
    }
    auto const device = oracle::to_device(x);
    Kokkos::View<Kokkos::Array<int, 3>*, oracle::memory> const off("edges", 500);
    Kokkos::parallel_for(Kokkos::RangePolicy<oracle::space>(0, 500), wrap_kernel<Real>{box, device, off});
    auto const got = oracle::to_host(device);
    auto const counted = oracle::to_host(off);
    for (std::size_t k = 0; k < 500; ++k) {
      ASSERT_TRUE(same_bits(got[k], expected[k])) << "box " << b << " position " << k;
      ASSERT_EQ(counted[k], box.edges_off(x[k])) << "box " << b << " position " << k;
    }
  }
}

TEST(box_of_edges, wraps_to_the_same_bits_in_kernels) {
  wrap_on_device<double>();
  wrap_on_device<float>();
}

TEST(box_of_edges, heights_normals_and_volume) {
  edge_generator random(7);
  for (int b = 0; b < 500; ++b) {
    auto const edges = random.box<double>(5);
    auto const box = edges.library();
    oracle::lattice<long double> cell{{}, edges.periodic};
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t d = 0; d < 3; ++d) cell.edges[k][d] = edges.edges[k][d];
    auto const r = oracle::reciprocal(cell);
    for (int k = 0; k < 3; ++k) {
      if (!box.periodic(k)) continue;
      long double const height = 1 / oracle::length(r[static_cast<std::size_t>(k)]);
      ASSERT_NEAR(double(box.length(k) / height), 1, 1e-12) << "box " << b << " direction " << k;
    }
  }
  auto const left = upsweep::box<double>::of_edges({0, 0, 3}, {0, 2, 1}, {5, 4, 4});
  EXPECT_DOUBLE_EQ(left.volume(), 30);
  EXPECT_EQ(left.shift(upsweep::image(2, -1, 3)), (vector3<double>{15, 10, 6 - 1 + 12}));
  EXPECT_EQ(left.edge(2), (vector3<double>{5, 4, 4}));
  auto const moved = upsweep::box<double>::of_edges({0, 0, 3}, {0, 2, 1}, {5, 4, 4}, {true, true, true}, {7, 8, 9});
  EXPECT_EQ(moved.origin(), (vector3<double>{7, 8, 9}));
  EXPECT_EQ(moved.wrap({7, 10, 10}), (vector3<double>{7, 8, 9})) << "one b from the origin";
  EXPECT_TRUE(left.is_of_edges() && !left.is_orthogonal() && left.is_triclinic());
}

// ---- faults

TEST(box_of_edges, positions_that_cannot_be_used) {
  double const inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  auto const fcc = upsweep::box<double>::of_edges({0, 5, 5}, {5, 0, 5}, {5, 5, 0});
  auto const slab = upsweep::box<double>::of_edges({3, 1, 0}, {0, 0, 0}, {1, 3, 0}, {true, false, true}, {0, 0, 7});
  for (auto const& box : {fcc, slab})
    for (double const bad : {nan, inf, -inf}) EXPECT_EQ(box.fault({1, bad, 1}).what, fault_kind::not_finite);
  for (double const far : {1e10, -1e10, 1.0}) EXPECT_FALSE(fcc.fault({far, 1, 1}));
  for (double const far : {1e13, -1e13, 1e300}) EXPECT_EQ(fcc.fault({far, 1, 1}).what, fault_kind::too_far);
  for (double const anywhere : {1e300, -1e300, 0.0, -1e13}) EXPECT_FALSE(slab.fault({1, 1, anywhere}));
  EXPECT_EQ(slab.fault({1, 1, 1.7e308}).direction, 1);
  EXPECT_EQ(slab.fault({1, 1e14, 1}).direction, 0);
  EXPECT_EQ(slab.describe(slab.fault({1, 1e14, 1})),
            "is so far away in direction a that rounding has lost its place in the box");
}

// ---- what a box refuses to be

std::string refusal(vector3<double> const& a, vector3<double> const& b, vector3<double> const& c,
                    Kokkos::Array<bool, 3> const& periodic = {true, true, true},
                    vector3<double> const& origin = {0, 0, 0}) {
  return oracle::message_of([&] { upsweep::box<double>::of_edges(a, b, c, periodic, origin); });
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(box_of_edges, edges_without_volume) {
  EXPECT_SAYS(refusal({1, 0, 0}, {0, 0, 0}, {0, 0, 1}), "box: the periodic edge b is zero");
  EXPECT_SAYS(refusal({1, 2, 3}, {0, 1, 0}, {-2, -4, -6}), "the periodic edges a and c are parallel");
  EXPECT_SAYS(refusal({1, 2, 3}, {0.1, 0.2, 0.3}, {0, 0, 0}, {true, true, false}), "edges a and b are parallel");
  EXPECT_SAYS(
      refusal({1, 2, 3}, {3, 1, 1}, {4, 3, 4}),
      "box: the periodic edges a, b and c lie nearly in one plane: over the plane of the other two, edge a is only");
  EXPECT_EQ(
      refusal({1, 0, 0}, {0, 1, 0}, {0.25, 0.25, 1e-14}),
      "box: the periodic edges a, b and c lie nearly in one plane: over the plane of the other two, edge a is only "
      "4e-14 high, b 4e-14, c 1e-14; at least 2.27374e-12 is needed, 4096 roundings of the edges and the origin, "
      "whose components add up to 2.5");
  // Only c is low: a and b are at right angles to its line.
  EXPECT_SAYS(refusal({1, 0, 0}, {0.5, 1, 0}, {0, 0, 1e-13}), "other two, edge c is only 1e-13 high; at least");
  EXPECT_EQ(
      refusal({1, 0, 0}, {1, 1e-12, 0}, {0, 0, 1}, {true, true, false}),
      "box: the periodic edges a and b are nearly parallel: over the other one, edge a is only 1e-12 high, b 1e-12; "
      "at least 1.81899e-12 is needed, 4096 roundings of the edges and the origin, whose components add up to 2");
  EXPECT_EQ(
      refusal({1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {true, true, true}, {1e14, 0, 0}),
      "box: the origin is so far away that the box is lost in its rounding: over the plane of the other two, edge a "
      "is only 0.707107 high, b 1, c 1; at least 90.9495 is needed, 4096 roundings of the edges and the origin, "
      "whose components add up to 1e+14");
  EXPECT_SAYS(
      refusal({0, 0, 0}, {1, 1, 0}, {0, 0, 0}, {false, true, false}, {0, 1e15, 0}),
      "box: the origin is so far away that the box is lost in its rounding: edge b is only 1.41421 long; at least");
  EXPECT_SAYS(refusal({1e-320, 0, 0}, {0, 0, 0}, {0, 0, 0}, {true, false, false}),
              "the periodic edge a is too short: ");
  EXPECT_SAYS(refusal({1e308, 0, 0}, {1e308, 1e308, 0}, {0, 0, 1}), "the edges and the origin are too large");
  EXPECT_EQ(refusal({1, 2, 3}, {0.1, 0.2, 0.3}, {0, 0, 0}, {true, false, false}), "nothing thrown");
  EXPECT_EQ(refusal({1, 2, 3}, {3, 1, 1}, {4, 3, 4}, {true, true, false}), "nothing thrown");
  EXPECT_EQ(refusal({1e300, 2e300, 0}, {3e299, -1e299, 0}, {0, 0, 1e299}), "nothing thrown");
  EXPECT_EQ(refusal({1e-300, 2e-300, 0}, {3e-300, -1e-300, 0}, {0, 0, 1e-300}), "nothing thrown");
}

TEST(box_of_edges, numbers_that_are_not_finite) {
  double const inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (double const bad : {inf, -inf, nan}) {
    EXPECT_SAYS(refusal({1, 0, 0}, {0, 1, bad}, {0, 0, 1}), "they must be finite");
    EXPECT_SAYS(refusal({1, 0, 0}, {0, 1, 0}, {bad, 0, 1}, {true, true, false}), "edge c has the component");
    EXPECT_SAYS(refusal({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {true, true, true}, {0, bad, 0}), "they must be finite");
  }
}

// ---- rebuilding

// As needs_rebuild.cpp has it for tilted boxes: where the box's change is no more than the skin, nobody within the
// cutoff was farther than cutoff + skin at the build; in open directions particles are any distance apart.
TEST(box_of_edges, a_changed_box_needs_no_rebuild_only_where_no_pair_is_missing) {
  constexpr double skin = 0.3;
  int tried = 0;
  double worst = -1;
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    edge_generator random(seed);
    auto const before = random.box<double>(2);
    double const height = [&] {
      double least = 1e300;
      for (int k = 0; k < 3; ++k) least = std::min(least, before.library().length(k));
      return least;
    }();
    double const cutoff = std::min(1.0, 2 * height);
    auto now = before;
    double const scale = std::pow(10.0, random.real(-4, -0.5));
    for (auto& edge : now.edges)
      for (double& c : edge) c += scale * cutoff * random.real(-1, 1);
    auto const box = now.library(), at_build = before.library();
    auto const change = upsweep::neighbors::detail::box_change(box, at_build, cutoff * (1 + skin)).length;
    if (!(change <= skin * cutoff)) {
      EXPECT_TRUE(
          upsweep::needs_rebuild<double>({0, 0}, upsweep::now{box}, upsweep::at_build{at_build}, cutoff, skin * cutoff))
          << change;
      continue;
    }
    EXPECT_FALSE(
        upsweep::needs_rebuild<double>({0, 0}, upsweep::now{box}, upsweep::at_build{at_build}, cutoff, skin * cutoff))
        << change;
    ++tried;
    std::vector<std::array<long double, 3>> x;
    for (int i = 0; i < 2; ++i) {
      auto const w = at_build.wrap(some_position(random, before, 0));
      x.push_back({w[0], w[1], w[2]});
    }
    oracle::lattice<long double> old{{}, before.periodic}, changed{{}, before.periodic};
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t d = 0; d < 3; ++d) {
        old.edges[k][d] = before.edges[k][d];
        changed.edges[k][d] = now.edges[k][d];
      }
    oracle::for_lattice_pairs(x, old, 2.0L * cutoff, [&](std::size_t i, std::size_t j, auto const& s, long double r2) {
      auto const d = oracle::lattice_displacement(changed, x[i], x[j], s);
      long double const way = std::sqrt(r2), left = skin * cutoff - change;
      if (oracle::length(d) - left <= cutoff) worst = std::max(worst, double((way - cutoff * (1 + skin)) / cutoff));
    });
  }
  EXPECT_GT(tried, 500);
  EXPECT_LT(worst, 1e-12);
  EXPECT_GT(worst, -0.1) << "the cases come close to what is allowed";
}

}  // namespace
