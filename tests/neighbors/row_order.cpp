// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The order inside of rows is what the documentation says it is, on every run.

#include "chosen_classes.hpp"
#include "host_list.hpp"
#include "power_law.hpp"

#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <tuple>

namespace {

upsweep::box<double> make_box(oracle::cell_box<double> const& b) {
  return upsweep::box<double>::triclinic({b.lo[0], b.lo[1], b.lo[2]}, {b.hi[0], b.hi[1], b.hi[2]},
                                         {.xy = b.tilt[0], .xz = b.tilt[1], .yz = b.tilt[2]});
}

/// Rows by the class of particles, then by cell (z, y, x, beyond the borders, too), in a cell by id; class_of(j) and
/// grid_of(class) say where a particle is. Pre: periodic in all directions.
template <class ClassOf, class GridOf>
oracle::neighbor_rows in_cell_order(oracle::neighbor_rows rows, oracle::points<double> const& x,
                                    oracle::cell_box<double> const& b, oracle::pair_rules const& rules,
                                    ClassOf const& class_of, GridOf const& grid_of) {
  auto const box = make_box(b);
  auto const key = [&](oracle::neighbor const& v) {
    auto const [j, sx, sy, sz] = v;
    auto const& p = x[static_cast<std::size_t>(j)];
    int const k = class_of(static_cast<std::size_t>(j));
    auto const& grid = grid_of(k);
    auto const t = box.upright({p[0], p[1], p[2]});
    int const at[3] = {grid.coordinate(t[0], 0) + sx * grid.cells[0], grid.coordinate(t[1], 1) + sy * grid.cells[1],
                       grid.coordinate(t[2], 2) + sz * grid.cells[2]};
    return std::tuple(k, at[2], at[1], at[0], rules.id(static_cast<std::size_t>(j)));
  };
  for (auto& row : rows)
    std::sort(row.begin(), row.end(), [&](auto const& a, auto const& c) { return key(a) < key(c); });
  return rows;
}

oracle::pair_rules with_shuffled_ids(std::size_t n) {
  oracle::pair_rules rules;
  rules.ids.resize(n);
  std::iota(rules.ids.begin(), rules.ids.end(), 0);
  std::shuffle(rules.ids.begin(), rules.ids.end(), std::mt19937_64(2));
  return rules;
}

constexpr bool periodic[3] = {true, true, true};

TEST(row_order, by_cell_then_by_id) {
  for (auto const& tilt : {std::array<double, 3>{}, std::array<double, 3>{2.5, -3, 1}}) {
    oracle::cell_box<double> const box{{-1, 0, 2}, {7, 6, 9}, {true, true, true}, tilt};
    for (double cutoff : {0.9, 2.0, 9.0}) {
      auto const x = oracle::uniform_points(cutoff < 5 ? 300 : 40, box, 1);
      auto const rules = with_shuffled_ids(x.size());
      namespace detail = upsweep::neighbors::detail;
      auto const grid =
          detail::make_grid_geometry(make_box(box), detail::make_grid_frame(make_box(box), {}, periodic, cutoff),
                                     cutoff, static_cast<std::int64_t>(x.size()));
      auto const expected = in_cell_order(
          oracle::brute_force(x, box, cutoff), x, box, rules, [](std::size_t) { return 0; },
          [&](int) -> auto const& { return grid; });
      EXPECT_EQ(oracle::build_list(x, box, cutoff, rules).rows, expected) << "cutoff " << cutoff;
    }
  }
}

TEST(row_order, by_size_class_then_by_cell) {
  for (auto const& tilt : {std::array<double, 3>{}, std::array<double, 3>{2.5, -3, 1}}) {
    oracle::cell_box<double> const box{{-1, 0, 2}, {7, 6, 9}, {true, true, true}, tilt};
    double const cutoff = 4;
    std::mt19937_64 engine(5);
    std::size_t const n = 1500;
    auto const x = oracle::uniform_points(n, box, 1);
    auto rules = with_shuffled_ids(n);
    rules.radii = oracle::power_law_radii(n, 0.1, 2, 2.5, engine);
    auto const chosen = oracle::choose_classes(make_box(box), periodic, cutoff, rules.radii);
    ASSERT_TRUE(chosen);
    ASSERT_GT(chosen->table.count, 1);
    auto const expected = in_cell_order(
        oracle::brute_force(x, box, cutoff, rules), x, box, rules,
        [&](std::size_t j) { return chosen->table.of_radius(rules.radii[j]); },
        [&](int k) -> auto const& { return chosen->table.grid[k]; });
    EXPECT_EQ(oracle::build_list(x, box, cutoff, rules).rows, expected);
  }
}

/// Sorted rows without images, by ids of any size: on GPUs those of 32 bits are numbers that are sorted in registers.
TEST(row_order, sorted_by_id_without_images) {
  oracle::cell_box<double> const box{{0, 0, 0}, {5, 9, 9}, {true, true, false}};
  auto const x = oracle::uniform_points(900, box, 4);
  std::mt19937_64 random(5);
  for (std::int64_t const stride : {0l, 1l, 4000001l, -1l, 1l << 31, (1l << 32) - 1, 1l << 40}) {
    oracle::pair_rules rules;
    for (std::size_t i = 0; i < x.size() && stride != 0; ++i)
      rules.ids.push_back(static_cast<std::int64_t>(i) * stride);
    std::shuffle(rules.ids.begin(), rules.ids.end(), random);
    for (double const cutoff : {0.6, 1.4, 5.5}) {
      auto expected = oracle::brute_force(x, box, cutoff);
      for (auto& row : expected) {
        for (auto& v : row) v = {std::get<0>(v), 0, 0, 0};
        std::sort(row.begin(), row.end(), [&](auto const& a, auto const& b) {
          return rules.id(static_cast<std::size_t>(std::get<0>(a))) <
                 rules.id(static_cast<std::size_t>(std::get<0>(b)));
        });
      }
      for (auto const builder : {upsweep::neighbor_builder::plain, upsweep::neighbor_builder::automatic})
        EXPECT_EQ(oracle::build_list(x, box, cutoff, rules,
                                     {.builder = builder, .order = upsweep::row_order::sorted, .pair_images = false})
                      .rows,
                  expected)
            << "stride " << stride << ", cutoff " << cutoff;
    }
  }
}

/// On CPUs rows of more neighbours than are sorted in a thread's memory.
TEST(row_order, sorted_rows_of_any_length) {
  oracle::cell_box<double> const box{{0, 0, 0}, {9, 9, 9}, {false, false, false}};
  oracle::cell_box<double> const corner{{4, 4, 4}, {5, 5, 5}, {false, false, false}};
  oracle::pair_rules rules;
  rules.rows = 3;
  for (std::size_t const n : {8193u, 8300u}) {
    auto const x = oracle::uniform_points(n, corner, 6);
    for (bool const images : {false, true}) {
      auto const list =
          oracle::build_list(x, box, 2.0, rules, {.order = upsweep::row_order::sorted, .pair_images = images});
      ASSERT_EQ(list.rows.size(), 3);
      for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_EQ(list.rows[i].size(), n - 1);
        for (std::size_t k = 0; k + 1 < n; ++k)
          ASSERT_EQ(std::get<0>(list.rows[i][k]), static_cast<int>(k < i ? k : k + 1));
      }
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
