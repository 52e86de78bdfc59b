// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <gtest/gtest.h>
#include <upsweep/io/particle_data.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

/// Particles whose every value says which id they have.
upsweep::particle_data with_ids(std::vector<std::int64_t> const& ids) {
  upsweep::particle_data data;
  data.ids = ids;
  for (auto const id : ids) {
    data.types.push_back(static_cast<std::int32_t>(10 * id));
    data.particle_masses.push_back(2.0 * static_cast<double>(id));
    data.charges.push_back(0.5 * static_cast<double>(id));
    data.radii.push_back(0.25 * static_cast<double>(id));
    data.molecules.push_back(7 * id);
    for (int d = 0; d < 3; ++d) {
      data.positions.push_back(static_cast<double>(100 * id + d));
      data.velocities.push_back(static_cast<double>(-100 * id - d));
      data.image_flags.push_back(static_cast<std::int32_t>(1000 * id + d));
    }
  }
  return data;
}

void expect_same(upsweep::particle_data const& a, upsweep::particle_data const& b) {
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.types, b.types);
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.velocities, b.velocities);
  EXPECT_EQ(a.image_flags, b.image_flags);
  EXPECT_EQ(a.particle_masses, b.particle_masses);
  EXPECT_EQ(a.charges, b.charges);
  EXPECT_EQ(a.radii, b.radii);
  EXPECT_EQ(a.molecules, b.molecules);
}

TEST(sort_by_id, rows_go_with_their_ids) {
  for (auto const& ids : std::vector<std::vector<std::int64_t>>{{}, {4}, {1, 2, 9}, {9, 2, 1}, {3, -5, 7, 0}}) {
    auto data = with_ids(ids);
    EXPECT_FALSE(upsweep::sort_by_id(data));
    auto sorted = ids;
    std::sort(sorted.begin(), sorted.end());
    expect_same(data, with_ids(sorted));
  }
}

TEST(sort_by_id, bonds_join_the_same_particles) {
  auto data = with_ids({9, 2, 5, 1});
  data.bonds = {0, 1, 3, 2, 1, 3};  // 9-2, 1-5, 2-1
  data.bond_types = {1, 2, 3};
  EXPECT_FALSE(upsweep::sort_by_id(data));
  EXPECT_EQ(data.bonds, (std::vector<std::int64_t>{3, 1, 0, 2, 1, 0}));
  EXPECT_EQ(data.bond_types, (std::vector<std::int32_t>{1, 2, 3}));
}

TEST(sort_by_id, all_but_ids_types_and_positions_may_be_missing) {
  auto data = with_ids({3, 1, 2}), expected = with_ids({1, 2, 3});
  for (auto* const d : {&data, &expected}) {
    d->velocities.clear();
    d->image_flags.clear();
    d->charges.clear();
    d->radii.clear();
    d->molecules.clear();
  }
  EXPECT_FALSE(upsweep::sort_by_id(data));
  expect_same(data, expected);
}

TEST(sort_by_id, the_smallest_id_that_comes_twice) {
  auto data = with_ids({8, 3, 5, 8, 5});
  EXPECT_EQ(upsweep::sort_by_id(data), 5);
}

}  // namespace
