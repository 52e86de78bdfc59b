// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Lists of particles of very different radii, which are in size classes with a grid each.

#include "../oracle/message_of.hpp"
#include "host_list.hpp"
#include "lists.hpp"
#include "power_law.hpp"
#include "random_exclusions.hpp"

#include <upsweep/neighbors/detail/grid/cell_grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <sstream>
#include <string>

namespace {

template <class Real>
using problem = oracle::list_problem<Real>;

/// Whether a list of these particles has size classes.
template <class Real>
bool has_classes(problem<Real> const& p) {
  namespace detail = upsweep::neighbors::detail;
  detail::cell_grid<oracle::space, Real> grid(oracle::space{});
  auto const radii = oracle::to_device(p.rules.radii);
  Kokkos::View<upsweep::image*, oracle::memory> images;
  upsweep::neighbor_options options{.radii = radii};
  if (!p.rules.images.empty()) {
    std::vector<upsweep::image> made;
    for (auto const& s : p.rules.images) made.emplace_back(s[0], s[1], s[2]);
    options.images = images = oracle::to_device(made);
  }
  auto const n = static_cast<std::int64_t>(p.x.size());
  std::int64_t const rows = p.rules.rows >= 0 ? p.rules.rows : p.rules.queries >= 0 ? p.rules.queries : n;
  grid.update(detail::make_positions(oracle::to_positions(p.x)), n, rows, std::max<std::int64_t>(p.rules.queries, 0),
              oracle::to_box(p.box), p.cutoff, options);
  return grid.binned().classes != nullptr;
}

/// Compares the lists of all builders with the pairs that testing all finds.
template <class Real>
void compare(problem<Real> const& p, oracle::build_settings how = {}) {
  auto const list = oracle::build_list(p.x, p.box, p.cutoff, p.rules, how);
  ASSERT_EQ(oracle::sorted(list.rows), oracle::sorted(oracle::brute_force(p.x, p.box, p.cutoff, p.rules)));
  how.rebuild = true;
  ASSERT_EQ(oracle::build_list(p.x, p.box, p.cutoff, p.rules, how), list) << "in a list that was another one before";
  how.rebuild = false;
  how.builder = upsweep::neighbor_builder::plain;
  ASSERT_EQ(oracle::build_list(p.x, p.box, p.cutoff, p.rules, how), list) << "the plain builder makes another list";
}

enum shape { cube, thin, tilted, tiny, shapes };
enum sizes { power_law, two_sizes, one_giant, equal, extreme, distributions };
enum sets { one_set, two_sets, ghosts, some_rows, all_sets };

/// Puts particle i so that it just touches particle j, or so that single precision cannot say whether it does, where
/// the box allows that: mostly along an axis, in which cells are farthest apart.
template <class Real>
void put_beside(problem<Real>& p, std::size_t i, std::size_t j, std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  std::array<double, 3> way{normal(engine), normal(engine), normal(engine)};
  if (engine() % 4 > 0) {
    auto const axis = engine() % 3;
    for (std::size_t d = 0; d < 3; ++d)
      if (d != axis) way[d] = 0;
  }
  double const close = engine() % 2 == 0 ? 0.9999 : 1 + (double(engine() % 9) - 4) * 2e-8;
  double const distance = close * std::min(double(p.cutoff), p.rules.radii[i] + p.rules.radii[j]),
               length = std::hypot(way[0], way[1], way[2]);
  auto x = p.x[j];
  for (std::size_t d = 0; d < 3; ++d) x[d] += Real(distance / length * way[d]);
  if (!oracle::to_box(p.box).fault({x[0], x[1], x[2]})) p.x[i] = x;
}

template <class Real>
problem<Real> make_problem(std::mt19937_64& engine, std::ostream& trace) {
  auto const pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine); };
  auto const real = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine); };
  int const form = pick(0, shapes - 1), kind = pick(0, distributions - 1), set = pick(0, all_sets - 1),
            mask = pick(0, 7);
  trace << "shape " << form << ", radii " << kind << ", sets " << set << ", periodic " << mask;
  problem<Real> p;
  auto const n = static_cast<std::size_t>(form == tiny ? pick(300, 400) : pick(700, 1100));
  auto& r = p.rules;
  switch (kind) {
    case power_law: r.radii = oracle::power_law_radii(n, 0.05, 4, real(1.5, 3), engine); break;
    case extreme:
      for (std::size_t i = 0; i < n; ++i) r.radii.push_back(pick(0, 9) == 0 ? 0 : 1.5 * std::exp2(-real(0, 40)));
      break;
    default:
      r.radii.assign(n, 0.1);
      for (auto& radius : r.radii)
        if (kind == two_sizes && pick(0, 30) == 0) radius = 2;
      if (kind == one_giant) r.radii[engine() % n] = 3;
  }
  double const largest = *std::max_element(r.radii.begin(), r.radii.end());
  // Also less and more than the largest radii need.
  double const part[] = {1, 1, 0.6, 1.7};
  p.cutoff = Real(std::max(kind == equal ? 4.0 : 0.5, 2 * largest * part[pick(0, 3)]));
  double const length = form == tiny ? double(p.cutoff) * real(0.45, 0.9) : double(p.cutoff) * real(1.2, 3.5);
  for (int d = 0; d < 3; ++d) {
    p.box.lo[d] = Real(pick(-8, 8)) / 4;
    p.box.hi[d] = p.box.lo[d] + Real(length * real(0.9, 1.1));
    p.box.periodic[d] = mask >> d & 1;
    p.box.tilt[d] = form == tilted ? Real(length * real(-1, 1)) : Real(0);
  }
  if (form == thin) {
    p.box.hi[2] = p.box.lo[2] + Real(0.01);
    p.box.periodic[2] = false;
  }
  p.x = oracle::uniform_points(n, p.box, static_cast<unsigned>(engine()));
  for (std::size_t i = 1; i < n; ++i)
    if (pick(0, 2) > 0) put_beside(p, i, engine() % i, engine);

  r.half = set != two_sets && pick(0, 1) == 1;
  r.include_cutoff = pick(0, 3) > 0;
  auto rows = n;
  if (set == two_sets) r.queries = static_cast<std::int64_t>(rows = n / static_cast<std::size_t>(pick(2, 9)));
  if (set == some_rows) r.rows = static_cast<std::int64_t>(rows = n / 2);
  if (set == ghosts) {
    r.rows = static_cast<std::int64_t>(rows = n / 2);
    for (std::size_t i = 0; i < n; ++i) {
      int const most = i < rows ? 0 : 1;
      r.images.push_back({pick(-most, most), pick(-most, most), form == thin ? 0 : pick(-most, most)});
    }
  }
  if (set == ghosts || (r.half && rows < n) || pick(0, 1) == 1) {
    r.ids.resize(n);
    std::iota(r.ids.begin(), r.ids.end(), 0);
    std::shuffle(r.ids.begin(), r.ids.end(), engine);
  }
  if (pick(0, 3) == 0) {
    r.type_cutoffs.assign(3, std::vector<double>(3));
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        r.type_cutoffs[a][b] = r.type_cutoffs[b][a] = double(p.cutoff) * pick(0, 4) / 4;
    for (std::size_t i = 0; i < n; ++i) r.types.push_back(pick(0, 2));
  }
  if (pick(0, 3) == 0) oracle::add_exclusions(r, rows, n, 3, pick);
  return p;
}

/// Returns how many of the lists have classes.
template <class Real>
int compare_random(unsigned seed, int cases) {
  std::mt19937_64 engine(seed);
  int with_classes = 0;
  for (int c = 0; c < cases; ++c) {
    std::ostringstream trace;
    trace << "seed " << seed << ", case " << c << ", ";
    auto const p = make_problem<Real>(engine, trace);
    SCOPED_TRACE(trace.str());
    with_classes += has_classes(p) ? 1 : 0;
    bool const sorted = engine() % 3 == 0, little_memory = engine() % 4 == 0, all_values = engine() % 3 == 0;
    oracle::build_settings const how{
        .order = sorted ? upsweep::row_order::sorted : upsweep::row_order::cells,
        .memory_budget = little_memory ? std::optional<std::size_t>(1 << 20) : std::nullopt};
    compare(p, all_values && p.rules.images.empty() ? oracle::with_all_values(how) : how);
    if (testing::Test::HasFatalFailure()) break;
  }
  return with_classes;
}

TEST(size_classes, random_particles_in_double) { EXPECT_GT(compare_random<double>(1, 40), 20); }
TEST(size_classes, random_particles_in_float) { EXPECT_GT(compare_random<float>(2, 40), 20); }

/// The cutoffs of types are rounded relative to that of the list, however small the radii are.
TEST(size_classes, types_without_pairs_among_small_particles) {
  std::size_t const n = 2000;
  for (unsigned seed = 0; seed < 20; ++seed) {
    problem<double> p{{{0, 0, 0}, {3, 3, 3}, {false, false, false}}, {}, 8 + 0.2 * seed, {}};
    p.x = oracle::uniform_points(n, p.box, seed);
    for (std::size_t i = 1; i < n; i += 2)
      for (std::size_t d = 0; d < 3; ++d) p.x[i][d] = p.x[i - 1][d] + (p.x[i - 1][d] < 1.5 ? 1e-5 : -1e-5);
    p.rules.radii.assign(n, 0.01);
    p.rules.types.assign(n, 0);
    p.rules.type_cutoffs = {{0}};
    EXPECT_EQ(oracle::build_list(p.x, p.box, p.cutoff, p.rules).pairs, 0u) << "cutoff " << p.cutoff;
  }
}

/// Radii that are none are refused behind the binning, which must not depend on them.
TEST(size_classes, a_radius_that_is_none_is_named) {
  std::mt19937_64 engine(6);
  problem<double> p{{{0, 0, 0}, {8, 8, 8}, {true, true, true}}, {}, 4, {}};
  p.x = oracle::uniform_points(3000, p.box, 7);
  for (double bad : {-1.0, std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    p.rules.radii = oracle::power_law_radii(3000, 0.1, 2, 2.5, engine);
    p.rules.radii[1234] = bad;
    EXPECT_TRUE(has_classes(p));
    auto const message = oracle::message_of([&] { oracle::build_list(p.x, p.box, p.cutoff, p.rules); });
    EXPECT_EQ(message, "neighbor_list: the radius of particle 1234 is negative or not finite");
  }
}

TEST(long_size_classes, random_particles) {
  for (unsigned seed = 100; seed < 140; ++seed) {
    EXPECT_GT(compare_random<double>(seed, 25), 8);
    EXPECT_GT(compare_random<float>(seed, 25), 8);
    if (HasFailure()) return;
  }
}

}  // namespace
