// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Lists in boxes of any three edges to the last bit: all pairs in the list's own arithmetic, where rounding decides
// whether two particles are within the cutoff, inside of the box, or in cells side by side.

#include "edge_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace {

using oracle::build_both_ways;
using oracle::converted;
using oracle::edge_box;
using oracle::edge_generator;
using oracle::lattice_pair;
using oracle::points;
using oracle::to_lattice;
using oracle::to_vector;

/// All pairs in the list's own arithmetic.
template <class Real>
std::vector<lattice_pair> pairs_in_own_arithmetic(points<Real> x, edge_box<Real> const& box, Real cutoff,
                                                  bool include_cutoff) {
  auto const library = box.library();
  for (auto& p : x) {
    auto const w = library.wrap(to_vector(p));
    p = {w[0], w[1], w[2]};
  }
  std::vector<lattice_pair> pairs;
  oracle::for_lattice_pairs(
      converted<long double>(x), to_lattice<long double>(box), 1.01L * static_cast<long double>(cutoff),
      [&](std::size_t i, std::size_t j, std::array<int, 3> const& s, long double) {
        auto const shift = library.shift(upsweep::image(s[0], s[1], s[2]));
        Real d[3];
        for (std::size_t c = 0; c < 3; ++c) d[c] = (x[j][c] - x[i][c]) + shift[c];
        Real const squared = std::fma(d[2], d[2], std::fma(d[1], d[1], d[0] * d[0])), most = cutoff * cutoff;
        if (include_cutoff ? squared <= most : squared < most)
          pairs.push_back({static_cast<int>(i), static_cast<int>(j), s[0], s[1], s[2]});
      });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

template <class Real>
void compare_in_own_arithmetic(points<Real> const& x, edge_box<Real> const& box, Real cutoff) {
  auto const library = box.library();
  for (bool const include : {true, false}) {
    oracle::pair_rules rules;
    rules.include_cutoff = include;
    auto const list = build_both_ways(x, library, cutoff, rules);
    std::vector<lattice_pair> found;
    for (std::size_t i = 0; i < list.rows.size(); ++i)
      for (auto const& [j, sx, sy, sz] : list.rows[i]) found.push_back({static_cast<int>(i), j, sx, sy, sz});
    std::sort(found.begin(), found.end());
    auto const expected = pairs_in_own_arithmetic(x, box, cutoff, include);
    ASSERT_EQ(found, expected) << oracle::first_difference(found, expected);
  }
}

/// Particles on faces and corners, next to them, and in pairs at the cutoff; cells that are just a cutoff wide.
template <class Real>
void compare_last_bits(unsigned seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  edge_generator random(seed);
  auto const box = random.box<Real>(sizeof(Real) == 4 ? 1.5 : 3);
  auto const library = box.library();
  double least = 1e300;
  for (int k = 0; k < 3; ++k)
    if (library.periodic(k)) least = std::min(least, double(library.length(k)));
  if (least == 1e300) least = 1;
  // A whole part of a height, or anything.
  double const part = random.pick(0, 1) == 0 ? 1.0 / random.pick(1, 4) : random.real(0.2, 1.4);
  auto const cutoff = static_cast<Real>(least * part * (1 + random.pick(-2, 2) * std::numeric_limits<Real>::epsilon()));
  points<Real> x;
  int const n = random.pick(1, 30);
  for (int i = 0; i < n; ++i) {
    std::array<Real, 3> f;
    for (Real& c : f)
      c = random.pick(0, 1) == 0 ? static_cast<Real>(random.pick(-8, 8)) / 4 : static_cast<Real>(random.real(0, 1));
    auto p = box.at(f);
    if (random.pick(0, 2) == 0)
      for (Real& c : p) c = std::nextafter(c, static_cast<Real>(random.pick(0, 1) == 0 ? -1e30 : 1e30));
    x.push_back(p);
    std::array<double, 3> d{random.real(-1, 1), random.real(-1, 1), random.real(-1, 1)};
    double const length = std::hypot(d[0], d[1], d[2]);
    for (std::size_t c = 0; c < 3; ++c) p[c] += static_cast<Real>(d[c] / length * double(cutoff));
    x.push_back(p);
  }
  compare_in_own_arithmetic(x, box, cutoff);
}

/// Cells of just a cutoff, give or take roundings, and pairs at the cutoff along the normal of a face that begin at the
/// borders of cells, in boxes far from the origin: what rounding adds decides whether cells are next to each other.
template <class Real>
void compare_across_cells(unsigned seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  edge_generator random(seed);
  auto box = random.box<Real>(sizeof(Real) == 4 ? 1.5 : 3);
  if (!box.periodic[0] && !box.periodic[1] && !box.periodic[2]) return;
  int d = 0;
  do d = random.pick(0, 2);
  while (!box.periodic[static_cast<std::size_t>(d)]);
  double const far = box.library().length(d) * std::pow(10.0, random.real(0, sizeof(Real) == 4 ? 1 : 8));
  for (Real& c : box.origin) c = static_cast<Real>(random.real(-far, far));
  auto const library = box.library();
  constexpr double epsilon = std::numeric_limits<Real>::epsilon();
  int const cells = random.pick(3, 5);
  auto const cutoff = static_cast<Real>(library.length(d) / cells * (1 - random.pick(0, 60) * epsilon));
  points<Real> x;
  for (int i = 0; i < 40; ++i) {
    std::array<Real, 3> f;
    for (Real& c : f) c = static_cast<Real>(random.real(0, 1));
    f[static_cast<std::size_t>(d)] = static_cast<Real>(random.pick(0, cells)) / static_cast<Real>(cells);
    auto p = box.at(f);
    for (Real& c : p)
      for (int k = random.pick(0, 2); k > 0; --k)
        c = std::nextafter(c, static_cast<Real>(random.pick(0, 1) * 2e30 - 1e30));
    x.push_back(p);
    Real const way = random.pick(0, 1) == 0 ? cutoff : -cutoff;
    for (std::size_t c = 0; c < 3; ++c) p[c] = std::fma(way, library.frame().normals[d][c], p[c]);
    x.push_back(p);
  }
  compare_in_own_arithmetic(x, box, cutoff);
}

TEST(last_bits_of_edges, no_pair_is_lost_to_rounding) {
  for (unsigned seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    compare_last_bits<double>(seed);
    compare_last_bits<float>(seed);
    compare_across_cells<double>(seed);
    compare_across_cells<float>(seed);
  }
}
TEST(long_last_bits_of_edges, no_pair_is_lost_to_rounding) {
  for (unsigned seed = 1000; seed < 9000 && !HasFailure(); ++seed) {
    compare_last_bits<double>(seed);
    compare_last_bits<float>(seed);
    compare_across_cells<double>(seed);
    compare_across_cells<float>(seed);
  }
}

}  // namespace
