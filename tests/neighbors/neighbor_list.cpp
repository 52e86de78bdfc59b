// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/message_of.hpp"
#include "lists.hpp"

#include <upsweep/neighbors/displacement.hpp>
#include <upsweep/neighbors/list_hash.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>

namespace {

using oracle::message_of;

oracle::cell_box<double> const cube{{0, 0, 0}, {9, 9, 9}, {true, true, true}};

// The crystal that everybody knows: 54 neighbours within 2.5 and 78 within 2.8 at density 0.8442.
TEST(neighbor_list, fcc_crystal_has_the_textbook_counts) {
  double const a = std::cbrt(4 / 0.8442);
  auto const x = oracle::to_positions(oracle::fcc_points(20, a, 0.0));
  upsweep::box<double> const box({0, 0, 0}, {20 * a, 20 * a, 20 * a});
  upsweep::neighbor_list const near(oracle::space{}, x, box, 2.5), far(oracle::space{}, x, box, 2.8);
  EXPECT_EQ(near.pairs(), 32000u * 54);
  EXPECT_EQ(far.pairs(), 2496000u);
  EXPECT_EQ(far.largest_row(), 78u);
}

TEST(neighbor_list, same_rows_in_the_same_order_each_time) {
  auto const x = oracle::to_positions(oracle::uniform_points(3000, cube, 1));
  upsweep::neighbor_list list(oracle::space{}, x, oracle::to_box(cube), 1.5);
  auto const first = oracle::to_host(list.neighbors());
  for (int run = 0; run < 20; ++run) {
    list.update(oracle::space{}, x);
    ASSERT_EQ(oracle::to_host(list.neighbors()), first);
  }
}

// CPUs write such lists past their caches, many rows at a time.
TEST(neighbor_list, rows_that_caches_do_not_hold_are_those_of_the_plain_builder) {
  oracle::cell_box<double> const box{{0, 0, 0}, {66, 66, 66}, {true, true, true}};
  auto const x = oracle::to_positions(oracle::uniform_points(240000, box, 1));
  upsweep::neighbor_list const plain(oracle::space{}, x, oracle::to_box(box), 2.8,
                                     {.pair_images = true, .builder = upsweep::neighbor_builder::plain});
  ASSERT_GT(plain.pairs() * sizeof(int), std::size_t(1) << 26);
  upsweep::neighbor_list const list(oracle::space{}, x, oracle::to_box(box), 2.8, {.pair_images = true});
  ASSERT_EQ(list.pairs(), plain.pairs());
  EXPECT_TRUE(oracle::to_host(list.offsets()) == oracle::to_host(plain.offsets()));
  EXPECT_TRUE(oracle::to_host(list.neighbors()) == oracle::to_host(plain.neighbors()));
  EXPECT_TRUE(oracle::to_host(list.pair_images().view()) == oracle::to_host(plain.pair_images().view()));
}

// Row order is documented: cells by z, y, x, then the id inside a cell. With a box of one cell's width or less around
// all particles that is the order of ids.
TEST(neighbor_list, ids_order_the_particles_of_a_cell) {
  std::vector<std::array<double, 3>> const x(5, {1, 1, 1});
  auto const ids = oracle::to_device<std::int64_t>({40, 10, 30, 50, 20});
  upsweep::neighbor_list const list(oracle::space{}, oracle::to_positions(x),
                                    upsweep::box<double>({0, 0, 0}, {2, 2, 2}, {false, false, false}), 1.0,
                                    {.ids = ids});
  auto const neighbors = oracle::to_host(list.neighbors());
  EXPECT_EQ(std::vector<int>(neighbors.begin(), neighbors.begin() + 4), (std::vector<int>{1, 4, 2, 3}));
}

struct functor_positions {
  Kokkos::View<double*, oracle::memory> x;
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(std::size_t i) const { return {x(i), x(i) * 0.5, 1.0}; }
};

TEST(neighbor_list, layouts_and_functors_give_the_same_list) {
  auto const points = oracle::uniform_points(500, cube, 2);
  auto const right = oracle::to_positions(points);
  Kokkos::View<double* [3], Kokkos::LayoutLeft, oracle::memory> const left("left", points.size());
  oracle::host_copy const host_left(left);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int d = 0; d < 3; ++d) host_left(i, d) = points[i][d];
  host_left.write();
  auto const box = oracle::to_box(cube);
  upsweep::neighbor_list const a(oracle::space{}, right, box, 1.2), b(oracle::space{}, left, box, 1.2);
  EXPECT_EQ(oracle::to_host(a.neighbors()), oracle::to_host(b.neighbors()));

  std::vector<double> line(100);
  std::iota(line.begin(), line.end(), 0.0);
  upsweep::box<double> const open({0, 0, 0}, {100, 100, 100}, {false, false, false});
  upsweep::neighbor_list const c(oracle::space{}, 100, functor_positions{oracle::to_device(line)}, open, 1.2);
  EXPECT_EQ(c.pairs(), 198u);  // steps of length sqrt(1.25)

  upsweep::neighbor_list<oracle::space, double> later(oracle::space{}, open, 1.2);
  EXPECT_EQ(later.plan(oracle::space{}, 50, functor_positions{oracle::to_device(line)}).pairs, 98u);
  later.emit();
  EXPECT_EQ(later.rows(), 50u);
  later.update(oracle::space{}, 100, functor_positions{oracle::to_device(line)});
  EXPECT_EQ(oracle::to_host(later.neighbors()), oracle::to_host(c.neighbors()));
  EXPECT_THROW(later.update(oracle::space{}, -1, functor_positions{oracle::to_device(line)}),
               upsweep::precondition_error);
}

// A periodic list must be what the same particles give with all their ghosts made by hand.
TEST(neighbor_list, ghosts_give_the_same_pairs_and_hash) {
  auto const points = oracle::uniform_points(400, cube, 3);
  double const cutoff = 2.0;
  auto all = points;
  std::vector<std::int64_t> ids(points.size());
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = std::int64_t(7 * i + 3);
  auto all_ids = ids;
  std::vector<upsweep::image> images(points.size(), upsweep::image(0, 0, 0));
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x)
        for (std::size_t i = 0; i < points.size() && (x || y || z); ++i) {
          all.push_back(points[i]);  // unshifted: the image says where the ghost stands
          all_ids.push_back(ids[i]);
          images.emplace_back(x, y, z);
        }
  auto const periodic_ids = oracle::to_device(ids);
  upsweep::neighbor_list const periodic(oracle::space{}, oracle::to_positions(points), oracle::to_box(cube), cutoff,
                                        {.pair_images = true, .ids = periodic_ids});
  auto const device_ids = oracle::to_device(all_ids);
  auto const device_images = oracle::to_device(images);
  upsweep::neighbor_list const ghosted(oracle::space{}, oracle::to_positions(all), oracle::to_box(cube), cutoff,
                                       {.rows = points.size(), .ids = device_ids, .images = device_images});
  EXPECT_EQ(ghosted.rows(), points.size());
  EXPECT_EQ(ghosted.pairs(), periodic.pairs());
  EXPECT_EQ(ghosted.hash(), periodic.hash());
  // The hash by its definition, on the host.
  std::uint64_t expected = 0;
  auto const rows = oracle::sorted_brute_force(points, cube, cutoff);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto const& [j, sx, sy, sz] : rows[i]) expected += upsweep::pair_hash(ids[i], ids[j], {sx, sy, sz});
  EXPECT_EQ(periodic.hash(), expected);
}

TEST(neighbor_list, permutation_keeps_the_hash_and_translation_the_pairs) {
  auto points = oracle::uniform_points(600, cube, 4);
  std::vector<std::int64_t> ids(points.size());
  std::iota(ids.begin(), ids.end(), 0);
  auto const build = [&] {
    auto const device_ids = oracle::to_device(ids);
    upsweep::neighbor_list const list(oracle::space{}, oracle::to_positions(points), oracle::to_box(cube), 1.7,
                                      {.pair_images = true, .ids = device_ids});
    return std::make_pair(list.pairs(), list.hash());
  };
  auto const before = build();
  std::reverse(points.begin(), points.end());
  std::reverse(ids.begin(), ids.end());
  EXPECT_EQ(build(), before);
  for (auto& p : points) p[0] += 0.125;  // moves some across the border: other images, the same pairs
  EXPECT_EQ(build().first, before.first);
}

TEST(neighbor_list, plan_says_what_the_list_takes) {
  auto const x = oracle::to_positions(oracle::uniform_points(2000, cube, 5));
  upsweep::neighbor_list<oracle::space, double> list(oracle::space{}, oracle::to_box(cube), 1.5);
  auto const plan = list.plan(oracle::space{}, x);
  EXPECT_EQ(list.neighbors().extent(0), 0u);
  list.emit();
  EXPECT_EQ(list.neighbors().extent(0), plan.pairs);
  EXPECT_EQ(plan.list_bytes, 4 * plan.pairs + 8 * 2001);
  EXPECT_THROW(list.emit(), upsweep::precondition_error);
}

TEST(neighbor_list, empty_set) {
  upsweep::neighbor_list const list(oracle::space{}, oracle::positions_view<double>("none", 0), oracle::to_box(cube),
                                    1.0, {.pair_images = true});
  EXPECT_EQ(list.rows(), 0u);
  EXPECT_EQ(list.pairs(), 0u);
  EXPECT_EQ(list.hash(), 0u);
  EXPECT_EQ(oracle::to_host(list.offsets()), std::vector<std::size_t>{0});
}

TEST(neighbor_list, bad_particles_are_named) {
  auto points = oracle::uniform_points(100, cube, 6);
  auto const build = [&](bool periodic) {
    return message_of([&] {
      upsweep::neighbor_list(oracle::space{}, oracle::to_positions(points),
                             upsweep::box<double>({0, 0, 0}, {9, 9, 9}, {periodic, periodic, periodic}), 1.0);
    });
  };
  points[41][1] = std::numeric_limits<double>::quiet_NaN();
  points[77][0] = std::numeric_limits<double>::infinity();
  EXPECT_NE(build(true).find("neighbor_list: particle 41 at ("), std::string::npos) << build(true);
  points[41][1] = 4;
  EXPECT_NE(build(true).find("particle 77"), std::string::npos) << build(true);
  points[77][0] = 9.5;
  EXPECT_EQ(build(true), "nothing thrown");
  EXPECT_NE(build(false).find("particle 77"), std::string::npos) << build(false);
}

TEST(neighbor_list, wrong_arguments_are_named) {
  auto const x = oracle::to_positions(oracle::uniform_points(10, cube, 7));
  auto const build = [&](double cutoff, upsweep::neighbor_options const& options = {}) {
    return message_of([&] { upsweep::neighbor_list(oracle::space{}, x, oracle::to_box(cube), cutoff, options); });
  };
  EXPECT_NE(build(0).find("cutoff = 0"), std::string::npos);
  EXPECT_NE(build(-1).find("cutoff = -1"), std::string::npos);
  EXPECT_NE(build(-1e-9).find("cutoff = -1e-09;"), std::string::npos);
  EXPECT_NE(build(1e-200).find("cutoff = 1e-200;"), std::string::npos);
  EXPECT_NE(build(std::numeric_limits<double>::quiet_NaN()).find("cutoff = "), std::string::npos);
  EXPECT_NE(build(5000).find("images of the box in direction x"), std::string::npos) << build(5000);
  EXPECT_NE(build(1, {.rows = 11}).find("rows = 11 of only 10"), std::string::npos);
  EXPECT_EQ(build(1, {.rows = -1}), "neighbor_list: rows = -1 is negative");
  auto const few = oracle::to_device<std::int64_t>({1, 2, 3});
  EXPECT_NE(build(1, {.ids = few}).find("ids has 3 entries for 10 particles"), std::string::npos);
  EXPECT_THROW(upsweep::box<double>({0, 0, 0}, {1, 0, 1}), upsweep::precondition_error);
  upsweep::neighbor_list const list(oracle::space{}, x, oracle::to_box(cube), 1.0);
  EXPECT_THROW(list.hash(), upsweep::precondition_error);
}

// ---- which options are given

using options = upsweep::neighbor_options;

/// What building from n particles throws.
std::string built(std::size_t n, options const& o) {
  auto const x = oracle::to_positions(oracle::uniform_points(n, cube, 9));
  return message_of([&] {
    upsweep::neighbor_list const list(oracle::space{}, x, oracle::to_box(cube), 1.0, o);
    EXPECT_EQ(list.hash(), 0u) << "of no particles";
  });
}

// As on a rank that has no particles.
TEST(neighbor_options, empty_views_are_given) {
  auto const cutoffs = Kokkos::View<double**, Kokkos::LayoutRight, oracle::memory>("type_cutoffs", 1, 1);
  Kokkos::View<int*, oracle::memory> const no_types;
  EXPECT_EQ(no_types.data(), nullptr);
  EXPECT_EQ(built(0, {.types = no_types, .type_cutoffs = cutoffs, .pair_images = true}), "nothing thrown");
  auto const no_ids = oracle::to_device(std::vector<std::int64_t>{});
  auto const no_images = oracle::to_device(std::vector<upsweep::image>{});
  EXPECT_EQ(built(0, {.half = true, .ids = no_ids, .images = no_images}), "nothing thrown");
  options o{.pair_images = true};
  o.radii = oracle::to_device(std::vector<double>{});
  o.exclusions = {.offsets = oracle::to_device(std::vector<std::size_t>{0}), .ids = no_ids};
  EXPECT_EQ(built(0, o), "nothing thrown");
}

TEST(neighbor_options, empty_views_are_too_short_for_particles) {
  Kokkos::View<std::int64_t*, oracle::memory> const no_ids;
  Kokkos::View<upsweep::image*, oracle::memory> const no_images;
  Kokkos::View<double*, oracle::memory> const no_radii;
  EXPECT_NE(built(10, {.ids = no_ids}).find("ids has 0 entries for 10 particles"), std::string::npos);
  EXPECT_NE(built(10, {.images = no_images}).find("images has 0 entries for 10 particles"), std::string::npos);
  EXPECT_NE(built(10, {.radii = no_radii}).find("radii has 0 entries for 10 particles"), std::string::npos);
}

TEST(neighbor_options, views_are_given_until_taken_back) {
  options o;
  EXPECT_FALSE(o.ids.given());
  o.ids = Kokkos::View<std::int64_t*, oracle::memory>();
  EXPECT_TRUE(o.ids.given());
  options const copy = o;
  EXPECT_TRUE(copy.ids.given());
  o.ids = {};
  EXPECT_FALSE(o.ids.given());
}

// Without ids a ghost and its owner are two particles: half lists had some pairs twice and others not at all.
TEST(neighbor_options, images_without_ids_are_refused_where_owners_matter) {
  std::vector<std::array<double, 3>> const x{{0.5, 1, 1}, {8.5, 1, 1}, {8.5, 1, 1}, {0.5, 1, 1}};
  auto const positions = oracle::to_positions(x);
  auto const images = oracle::to_device(std::vector<upsweep::image>{{0, 0, 0}, {0, 0, 0}, {-1, 0, 0}, {1, 0, 0}});
  auto const ids = oracle::to_device(std::vector<std::int64_t>{0, 1, 1, 0});
  auto const offsets = oracle::to_device(std::vector<std::size_t>{0, 1, 2});
  auto const others = oracle::to_device(std::vector<std::int64_t>{1, 0});
  using list_type = upsweep::neighbor_list<oracle::space, double>;
  auto const build = [&](options o) {
    o.rows = 2;
    o.images = images;
    return list_type(oracle::space{}, positions, oracle::to_box(cube), 2.0, o);
  };
  EXPECT_EQ(build({}).pairs(), 2u);
  EXPECT_EQ(build({.half = true, .ids = ids}).pairs(), 1u);
  EXPECT_EQ(build({.ids = ids, .exclusions = {.offsets = offsets, .ids = others}}).pairs(), 0u);
  auto const half = message_of([&] { build({.half = true}); });
  EXPECT_NE(half.find("half with images needs ids"), std::string::npos) << half;
  auto const excluded = message_of([&] { build({.exclusions = {.offsets = offsets, .ids = others}}); });
  EXPECT_NE(excluded.find("exclusions with images need ids"), std::string::npos) << excluded;
  auto const hashed = message_of([&] { build({}).hash(); });
  EXPECT_NE(hashed.find("the hash of a list with images needs ids"), std::string::npos) << hashed;
  auto const useless = message_of([&] { build({.exclusions = {.ids = others}}); });
  EXPECT_NE(useless.find("exclusions.ids are given without exclusions.offsets"), std::string::npos) << useless;
}

TEST(displacement, largest_of_all_particles) {
  auto const before = oracle::uniform_points(1000, cube, 8);
  auto now = before;
  now[123][0] += 3;
  now[123][2] -= 4;
  now[5][1] += 1;
  auto const measure = [&] {
    return upsweep::largest_displacement_squared(oracle::space{}, upsweep::now{oracle::to_positions(now)},
                                                 upsweep::at_build{oracle::to_positions(before)});
  };
  EXPECT_NEAR(measure(), 25, 1e-12);
  now[700][0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(measure(), std::numeric_limits<double>::infinity());
  oracle::positions_view<double> const none("none", 0);
  EXPECT_EQ(upsweep::largest_displacement_squared(oracle::space{}, upsweep::now{none}, upsweep::at_build{none}), 0.0);
}

TEST(neighbor_list, a_plan_has_no_view_until_it_is_emitted) {
  oracle::space const space;
  auto const x = oracle::to_positions(oracle::uniform_points(200, cube, 7));
  upsweep::neighbor_list<oracle::space, double> list(space, x, oracle::to_box(cube), 2.5, {.pair_images = true});
  EXPECT_EQ(list.view().rows, 200u);
  EXPECT_TRUE(list.pair_images().given());
  list.plan(space, x);
  EXPECT_THROW(list.view(), upsweep::precondition_error);
  EXPECT_FALSE(list.pair_images().given());
  list.emit();
  EXPECT_NE(list.view().images, nullptr);
  // Other options are for the next build: the neighbours that are there keep their images.
  auto const hash = list.hash();
  list.set(oracle::to_box(cube), 2.5, {.half = true});
  EXPECT_NE(list.view().images, nullptr);
  EXPECT_EQ(list.hash(), hash);
  list.plan(space, x);
  EXPECT_THROW(list.hash(), upsweep::precondition_error);
  list.set(oracle::to_box(cube), 2.5, {.builder = upsweep::neighbor_builder::plain});
  EXPECT_THROW(list.emit(), upsweep::precondition_error);
}

}  // namespace
