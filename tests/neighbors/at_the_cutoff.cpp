// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Pairs whose distance is the cutoff to the last bits: what is computed with less precision first must be
// computed again.

#include "host_list.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace {

using oracle::build_list;
using oracle::cell_box;
using oracle::points;

template <class Real>
constexpr Real cutoff = Real(2.8);

/// Half of the particles anywhere, each with a partner at the cutoff, give or take some roundings.
template <class Real>
points<Real> pairs_at_the_cutoff(std::size_t n, cell_box<Real> const& box, unsigned seed) {
  auto x = oracle::uniform_points(n, box, seed);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < n; ++i) {
    double d[3], squared = 0;
    for (double& c : d) c = normal(random), squared += c * c;
    // Half of them along an axis, where nothing but the difference rounds.
    if (i % 2 == 0) d[0] = d[1] = 0, squared = d[2] * d[2];
    double const length =
        double(cutoff<Real>) * (1 + 4 * normal(random) * double(std::numeric_limits<Real>::epsilon()) * double(i % 4));
    std::array<Real, 3> partner;
    for (std::size_t c = 0; c < 3; ++c)
      partner[c] = static_cast<Real>(double(x[i][c]) + d[c] * length / std::sqrt(squared));
    x.push_back(partner);
  }
  return x;
}

template <class Real>
points<Real> scaled(points<Real> x, Real by) {
  for (auto& p : x)
    for (auto& c : p) c *= by;
  return x;
}
template <class Real>
cell_box<Real> scaled(cell_box<Real> box, Real by) {
  for (auto* part : {&box.lo, &box.hi, &box.tilt})
    for (auto& c : *part) c *= by;
  return box;
}

template <class Real>
void same_as_plain(points<Real> const& x, cell_box<Real> const& box, Real most) {
  SCOPED_TRACE(most);
  oracle::build_settings const plain{.builder = upsweep::neighbor_builder::plain};
  oracle::pair_rules const full;
  oracle::pair_rules half;
  half.half = true;
  auto const all = build_list(x, box, most, full);
  EXPECT_EQ(all, build_list(x, box, most, full, plain));
  // Both directions of a pair get the same answer, so that a half list has half of the pairs.
  auto const one_way = build_list(x, box, most, half);
  EXPECT_EQ(one_way, build_list(x, box, most, half, plain));
  EXPECT_EQ(2 * one_way.pairs, all.pairs);
}

template <class Real>
void compare_all() {
  cell_box<Real> const near{{0, 0, 0}, {15, 13, 12}, {true, true, true}},
      far{{5000, -9000, 70}, {5015, -8987, 82}, {true, true, true}},
      leaning{{-3, 1, 2}, {12, 14, 14}, {true, true, true}, {4, -7, Real(2.5)}};
  for (auto const& box : {near, far, leaning}) {
    SCOPED_TRACE(box.lo[0]);
    auto const x = pairs_at_the_cutoff<Real>(1000, box, 7);
    same_as_plain(x, box, cutoff<Real>);
    // The last bits of coordinates decide about some pairs.
    Real const less = cutoff<Real> - 4 * std::numeric_limits<Real>::epsilon() * std::abs(box.lo[1] + 20);
    EXPECT_LT(build_list(x, box, less).pairs, build_list(x, box, cutoff<Real>).pairs);
    // Powers of two change no bits, but where the square of the cutoff is too large or too small for floats.
    for (int const power : {-55, -40, 40, 55, -400, 400}) {
      if (std::abs(power) > 60 && sizeof(Real) == 4) continue;
      SCOPED_TRACE(power);
      Real const by = std::ldexp(Real(1), power);
      same_as_plain(scaled(x, by), scaled(box, by), by * cutoff<Real>);
    }
  }
}

TEST(pairs_at_the_cutoff, in_double) { compare_all<double>(); }
TEST(pairs_at_the_cutoff, in_float) { compare_all<float>(); }

}  // namespace
