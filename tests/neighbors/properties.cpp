// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What holds for every list, on random boxes and points: orthogonal and tilted, near the origin and far from it,
// lattices, points on borders and pairs at the cutoff, in float and in double. The long suite tries 10,000 lists; all
// of it takes 5 minutes with two busy cores.

#include "boxes.hpp"
#include "host_list.hpp"

#include <upsweep/neighbors/needs_rebuild.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace {

using oracle::cell_box;
using oracle::points;
using exact = long double;

template <class Real>
constexpr double epsilon = std::numeric_limits<Real>::epsilon();

/// Distances of pairs in long double, of wrapped positions as they are.
template <class Real>
struct exact_pairs {
  cell_box<Real> const& box;
  points<Real> const& x;

  exact distance(std::size_t i, std::size_t j, std::array<int, 3> const& s) const {
    exact d[3];
    for (std::size_t c = 0; c < 3; ++c) {
      d[c] = static_cast<exact>(x[j][c]) - static_cast<exact>(x[i][c]);
      for (int k = 0; k < 3; ++k) d[c] += static_cast<exact>(s[static_cast<std::size_t>(k)]) * box.edge(k)[c];
    }
    return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }

  /// More than roundings add to the distance of two particles within `cutoff` of each other, in images up to `reach`.
  exact rounding(std::array<int, 3> const& reach, double cutoff) const {
    exact sum = cutoff;
    for (int k = 0; k < 3; ++k)
      for (exact const component : box.edge(k)) sum += (1 + reach[static_cast<std::size_t>(k)]) * std::abs(component);
    return 4 * epsilon<Real> * sum;
  }
};

template <class Visit>
void for_all_images(std::array<int, 3> const& reach, Visit const& visit) {
  for (int z = -reach[2]; z <= reach[2]; ++z)
    for (int y = -reach[1]; y <= reach[1]; ++y)
      for (int x = -reach[0]; x <= reach[0]; ++x) visit(std::array<int, 3>{x, y, z});
}

/// One more image than can matter, in periodic directions.
template <class Real>
std::array<int, 3> generous_reach(cell_box<Real> const& box, double cutoff) {
  auto reach = oracle::image_reach(box, cutoff);
  for (std::size_t d = 0; d < 3; ++d) reach[d] += box.periodic[d];
  return reach;
}

template <class Real>
class random_problem {
 public:
  explicit random_problem(unsigned seed) : engine_(seed) {
    make_box();
    // A part of the smallest height, which every image within reach follows from.
    auto const fits = [&](double r) {
      auto const reach = oracle::image_reach(box, r);
      return (2.0 * reach[0] + 1) * (2.0 * reach[1] + 1) * (2.0 * reach[2] + 1) <= 150;
    };
    double r = real(0.2, 3) * std::max({box.length(0), box.length(1), box.length(2)});
    while (!fits(r)) r *= real(0.5, 0.95);
    cutoff = static_cast<Real>(r);
    make_points();
  }

  cell_box<Real> box;
  Real cutoff;
  points<Real> x;

  double real(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine_); }
  int pick(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }

 private:
  void make_box() {
    for (std::size_t d = 0; d < 3; ++d) {
      double const length = std::exp(real(-1.5, 1.5));
      int const place = pick(0, 3);
      double const far = length * std::pow(10.0, real(0, sizeof(Real) == 4 ? 3 : 9));
      box.lo[d] = place < 2 ? Real(0) : static_cast<Real>(real(-1, 1) * (place == 2 ? 10 * length : far));
      box.hi[d] = box.lo[d] + static_cast<Real>(length);
      box.periodic[d] = pick(0, 4) > 0;
    }
    box.tilt = {};
    if (pick(0, 3) == 0) return;
    double const largest = upsweep::box<Real>::largest_tilt;
    double const most = pick(0, 2) > 0 ? 0.5 : 0.99 * std::pow(largest, real(0, 1));
    for (std::size_t k = 0; k < 3; ++k)
      if (pick(0, 4) > 0) box.tilt[k] = static_cast<Real>(real(-most, most) * double(box.length(k == 2 ? 1 : 0)));
  }

  std::array<Real, 3> at(std::array<Real, 3> const& f) const {
    auto p = box.lo;
    for (int d = 0; d < 3; ++d)
      for (std::size_t c = 0; c < 3; ++c) p[c] += f[static_cast<std::size_t>(d)] * box.edge(d)[c];
    return p;
  }

  void make_points() {
    auto const limits = oracle::to_box(box);
    int const kind = pick(0, 3), n = pick(1, 24), cells = pick(1, 6);
    for (int i = 0; i < n; ++i) {
      std::array<Real, 3> f;
      for (std::size_t d = 0; d < 3; ++d) {
        bool const lattice = kind == 0 || (kind == 1 && pick(0, 1) == 0);
        Real const site = static_cast<Real>(pick(0, cells - 1)) / static_cast<Real>(cells);
        f[d] = lattice ? site : static_cast<Real>(real(0, 1));
        if (box.periodic[d] && pick(0, 2) == 0) f[d] += static_cast<Real>(pick(-3, 3));
      }
      auto p = at(f);
      // Next to where it is: below a border, for instance.
      if (std::size_t const d = static_cast<std::size_t>(pick(0, 2)); kind == 2 && box.periodic[d])
        p[d] = std::nextafter(box.lo[d], static_cast<Real>(pick(0, 1) == 0 ? -1e30 : 1e30));
      x.push_back(p);
      if (kind == 3) x.push_back(partner(p));
      if (limits.fault({x.back()[0], x.back()[1], x.back()[2]})) x.back() = p;
      if (limits.fault({p[0], p[1], p[2]})) x.back() = box.lo;
    }
  }

  /// At the cutoff, or nearly.
  std::array<Real, 3> partner(std::array<Real, 3> p) {
    double d[3], squared = 0;
    for (double& c : d) c = real(-1, 1), squared += c * c;
    double const length = double(cutoff) * (1 + pick(-2, 2) * epsilon<Real>);
    for (std::size_t c = 0; c < 3; ++c) p[c] += static_cast<Real>(d[c] / std::sqrt(squared) * length);
    return p;
  }

  std::mt19937_64 engine_;
};

/// Whether row i has j in image s. Rows are sorted.
bool has(oracle::neighbor_rows const& rows, std::size_t i, std::size_t j, std::array<int, 3> const& s) {
  return std::binary_search(rows[i].begin(), rows[i].end(), oracle::neighbor{static_cast<int>(j), s[0], s[1], s[2]});
}

std::string first_difference(oracle::neighbor_rows const& a, oracle::neighbor_rows const& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < std::max(a[i].size(), b[i].size()); ++k)
      if (k >= a[i].size() || k >= b[i].size() || a[i][k] != b[i][k])
        return "row " + std::to_string(i) + " at " + std::to_string(k) + " of " + std::to_string(a[i].size()) +
               " and " + std::to_string(b[i].size());
  return "none";
}

/// Rows have every pair that is less than `most` apart.
template <class Real>
void expect_complete(oracle::neighbor_rows const& rows, exact_pairs<Real> const& pairs, std::array<int, 3> const& reach,
                     exact most) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      for_all_images(reach, [&](std::array<int, 3> const& s) {
        if (i == j && s == std::array<int, 3>{}) return;
        bool const needed = pairs.distance(i, j, s) < most;
        EXPECT_TRUE(!needed || has(rows, i, j, s)) << i << ' ' << j << " image " << s[0] << ' ' << s[1] << ' ' << s[2];
      });
}

/// The list is that of all pairs in the list's own arithmetic, and in long double except for roundings.
template <class Real>
void check_list(random_problem<Real> const& p) {
  auto const list = oracle::build_list(p.x, p.box, p.cutoff);
  auto const rows = oracle::sorted(list.rows);
  auto const expected = oracle::sorted(oracle::brute_force(p.x, p.box, p.cutoff));
  ASSERT_EQ(rows, expected) << first_difference(rows, expected);

  // Wrapping first changes nothing, neither the hash nor the order.
  auto const x = oracle::wrapped_by_library(p.box, p.x);
  auto const again = oracle::build_list(x, p.box, p.cutoff);
  ASSERT_EQ(again, list) << "wrapping first: " << first_difference(again.rows, list.rows);

  exact_pairs<Real> const pairs{p.box, x};
  auto const reach = generous_reach(p.box, p.cutoff);
  exact const rounding = pairs.rounding(reach, p.cutoff);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto const& [j, sx, sy, sz] : rows[i])
      ASSERT_LE(pairs.distance(i, static_cast<std::size_t>(j), {sx, sy, sz}), p.cutoff + rounding) << i << ' ' << j;
  expect_complete(rows, pairs, reach, p.cutoff - rounding);
}

/// After moves for which needs_rebuild() says no, a list with skin has all pairs within the cutoff.
template <class Real>
bool check_moves(random_problem<Real>& p) {
  Real const skin = p.cutoff * static_cast<Real>(p.real(0.05, 0.5));
  auto const at_build = oracle::wrapped_by_library(p.box, p.x);
  auto const rows = oracle::sorted(oracle::build_list(at_build, p.box, p.cutoff + skin).rows);
  auto now = at_build;
  exact most[2] = {0, 0};
  for (std::size_t i = 0; i < now.size(); ++i) {
    exact squared = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      now[i][c] += skin * static_cast<Real>(p.real(-0.35, 0.35));
      exact const way = static_cast<exact>(now[i][c]) - at_build[i][c];
      squared += way * way;
    }
    most[1] = std::max(most[1], std::sqrt(squared));
    if (most[1] > most[0]) std::swap(most[0], most[1]);
  }
  auto const box = oracle::to_box(p.box);
  upsweep::two_largest<Real> const moved{static_cast<Real>(most[0]), static_cast<Real>(most[1])};
  if (upsweep::needs_rebuild(moved, upsweep::now{box}, upsweep::at_build{box}, p.cutoff, skin)) return false;
  exact_pairs<Real> const pairs{p.box, now};
  auto const reach = generous_reach(p.box, p.cutoff + skin);
  exact const rounding = pairs.rounding(reach, p.cutoff);
  expect_complete(rows, pairs, reach, p.cutoff - rounding);
  return true;
}

template <class Real>
void check_lists(unsigned seeds) {
  for (unsigned seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check_list(random_problem<Real>(seed));
  }
}

template <class Real>
void check_all_moves(unsigned seeds) {
  unsigned kept = 0;
  for (unsigned seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_problem<Real> p(seed);
    kept += check_moves(p);
  }
  EXPECT_GT(kept, seeds / 4) << "lists that need no rebuild";
}

TEST(neighbor_properties, lists_in_double) { check_lists<double>(300); }
TEST(neighbor_properties, lists_in_float) { check_lists<float>(300); }
TEST(neighbor_properties, moves_without_rebuild_in_double) { check_all_moves<double>(100); }
TEST(neighbor_properties, moves_without_rebuild_in_float) { check_all_moves<float>(100); }

TEST(long_neighbor_properties, lists_in_double) { check_lists<double>(10000); }
TEST(long_neighbor_properties, lists_in_float) { check_lists<float>(10000); }
TEST(long_neighbor_properties, moves_without_rebuild_in_double) { check_all_moves<double>(3000); }
TEST(long_neighbor_properties, moves_without_rebuild_in_float) { check_all_moves<float>(3000); }

}  // namespace
