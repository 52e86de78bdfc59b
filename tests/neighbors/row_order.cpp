// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The order inside of rows is what the documentation says it is, on every run.

#include "host_list.hpp"

#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace {

/// Rows by cell (z, y, x, beyond the borders, too), in a cell by id. Pre: periodic in all directions.
oracle::neighbor_rows in_cell_order(oracle::neighbor_rows rows, oracle::points<double> const& x,
                                    oracle::cell_box<double> const& b, double cutoff, oracle::pair_rules const& rules) {
  auto const box = upsweep::box<double>::triclinic({b.lo[0], b.lo[1], b.lo[2]}, {b.hi[0], b.hi[1], b.hi[2]},
                                                   {.xy = b.tilt[0], .xz = b.tilt[1], .yz = b.tilt[2]});
  bool const periodic[3] = {true, true, true};
  auto const grid =
      upsweep::neighbors::detail::make_grid_geometry(box, {}, periodic, cutoff, static_cast<std::int64_t>(x.size()));
  auto const key = [&](oracle::neighbor const& v) {
    auto const [j, sx, sy, sz] = v;
    auto const& p = x[static_cast<std::size_t>(j)];
    auto const t = box.upright({p[0], p[1], p[2]});
    int const at[3] = {grid.coordinate(t[0], 0) + sx * grid.cells[0], grid.coordinate(t[1], 1) + sy * grid.cells[1],
                       grid.coordinate(t[2], 2) + sz * grid.cells[2]};
    return std::tuple(at[2], at[1], at[0], rules.id(static_cast<std::size_t>(j)));
  };
  for (auto& row : rows)
    std::sort(row.begin(), row.end(), [&](auto const& a, auto const& c) { return key(a) < key(c); });
  return rows;
}

TEST(row_order, by_cell_then_by_id) {
  for (auto const& tilt : {std::array<double, 3>{}, std::array<double, 3>{2.5, -3, 1}}) {
    oracle::cell_box<double> const box{{-1, 0, 2}, {7, 6, 9}, {true, true, true}, tilt};
    for (double cutoff : {0.9, 2.0, 9.0}) {
      auto const x = oracle::uniform_points(cutoff < 5 ? 300 : 40, box, 1);
      oracle::pair_rules rules;
      rules.ids.resize(x.size());
      std::iota(rules.ids.begin(), rules.ids.end(), 0);
      std::shuffle(rules.ids.begin(), rules.ids.end(), std::mt19937_64(2));
      auto const expected = in_cell_order(oracle::brute_force(x, box, cutoff), x, box, cutoff, rules);
      EXPECT_EQ(oracle::build_list(x, box, cutoff, rules).rows, expected) << "cutoff " << cutoff;
    }
  }
}

TEST(row_order, the_same_in_each_of_100_runs) {
  oracle::cell_box<double> const box{{0, 0, 0}, {9, 9, 9}, {true, true, true}, {3, 0, 1}};
  auto const x = oracle::uniform_points(1500, box, 3);
  auto const first = oracle::build_list(x, box, 1.5, {}, {.builder = upsweep::neighbor_builder::plain});
  for (int run = 0; run < 100; ++run)
    ASSERT_EQ(oracle::build_list(x, box, 1.5, {}, {.rebuild = true}), first) << "run " << run;
}

}  // namespace
