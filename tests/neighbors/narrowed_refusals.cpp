// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What a narrowed list refuses, and what it takes of memory.

#include "../contracts/tools.hpp"
#include "narrowed.hpp"

#include <upsweep/base/error.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using narrowing::list_type;
using narrowing::narrowed_type;
using narrowing::points;
using narrowing::to_plain;
using narrowing::to_table;
using upsweep::row_order;

oracle::cell_box<double> const cube{{0, 0, 0}, {10, 10, 10}, {true, true, true}};

template <class Run>
std::string error_of(Run const& run) {
  try {
    run();
  } catch (upsweep::precondition_error const& e) {
    return e.what();
  }
  return "nothing thrown";
}

struct some_list {
  points<double> x = oracle::uniform_points(300, cube, 4);
  oracle::space space;
  list_type<double> list{space, oracle::to_box(cube), 2.3, {.pair_images = true, .order = row_order::sorted}};
  narrowed_type<double> exact{space, 2.0, {.pair_images = true}};

  some_list() { list.update(space, oracle::to_positions(x)); }

  std::string update(points<double> const& now) {
    return error_of([&] { exact.update(space, list, oracle::to_positions(now)); });
  }
  void expect_fresh(points<double> const& now) {
    ASSERT_EQ(update(now), "nothing thrown");
    list_type<double> const fresh(space, oracle::to_positions(now), oracle::to_box(cube), 2.0,
                                  {.pair_images = true, .order = row_order::sorted});
    ASSERT_EQ(to_plain(exact), to_plain(fresh));
  }
};

TEST(narrowed_list, particles_that_have_moved_too_far_are_named) {
  some_list s;
  auto now = s.x;
  now[123][1] += 0.29;  // more than half the skin, but no other moved
  s.expect_fresh(now);
  now[200][2] -= 0.02;
  EXPECT_EQ(s.update(now),
            "narrowed_list: particle 123 is 0.29 away from where it was when the list with skin was built, and "
            "another one up to 0.02; with a skin of 0.3 pairs may be missing: rebuild the list");
  EXPECT_EQ(s.exact.pairs(), 0u);
  EXPECT_EQ(s.exact.rows(), 0u);
  EXPECT_EQ(s.exact.view().rows, 0u);
  EXPECT_FALSE(s.exact.pair_images().given());
  now[200] = s.x[200];
  s.expect_fresh(now);
  // Whole edges do not count.
  now[123][0] += 30;
  now[123][2] -= 10;
  s.expect_fresh(now);
  now[123][0] += 5;
  EXPECT_NE(s.update(now).find("particle 123 is 5."), std::string::npos) << s.update(now);
}

// Nearest is nearest, even where half an edge is less than the skin.
TEST(narrowed_list, boxes_shorter_than_the_skin) {
  oracle::cell_box<double> const small{{0, 0, 0}, {0.5, 3, 4}, {true, true, true}};
  oracle::space const space;
  auto const box = oracle::to_box(small);
  auto x = oracle::uniform_points(20, small, 9);
  upsweep::neighbor_options const options{.pair_images = true, .order = row_order::sorted};
  list_type<double> const list(space, oracle::to_positions(x), box, 2.0, options);
  narrowed_type<double> exact(space, 1.2, {.pair_images = true});
  for (double way : {0.1, 0.24, 0.26, 0.38, 0.49, 0.7}) {
    auto now = x;
    for (auto& p : now) p[0] += way;
    exact.update(space, list, oracle::to_positions(now));
    list_type<double> const fresh(space, oracle::to_positions(now), box, 1.2, options);
    ASSERT_EQ(to_plain(exact), to_plain(fresh)) << way;
  }
}

TEST(narrowed_list, bad_particles_are_named) {
  some_list s;
  auto now = s.x;
  now[77][1] = std::numeric_limits<double>::quiet_NaN();
  now[200][0] += 5;
  EXPECT_NE(s.update(now).find("narrowed_list: particle 77 at ("), std::string::npos) << s.update(now);
  EXPECT_NE(s.update(now).find("is not finite"), std::string::npos) << s.update(now);
  now[77] = s.x[77];
  now[200] = s.x[200];
  s.expect_fresh(now);
  now.pop_back();
  EXPECT_EQ(s.update(now), "narrowed_list: 299 positions for a list of 300 particles");

  std::vector<int> types(300, 1);
  std::vector<double> radii(300, 1.0);
  auto const table = to_table({2, 2, 2, 2}, 2);
  types[9] = 2;
  radii[8] = -1;
  auto const device_types = oracle::to_device(types);
  auto const device_radii = oracle::to_device(radii);
  auto const x = oracle::to_positions(s.x);
  narrowed_type<double> typed(s.space, 2.0, {.types = device_types, .type_cutoffs = table});
  EXPECT_EQ(error_of([&] { typed.update(s.space, s.list, x); }),
            "narrowed_list: the type of particle 9 is not one of the 2 in type_cutoffs");
  narrowed_type<double> sized(s.space, 2.0, {.radii = device_radii});
  EXPECT_EQ(error_of([&] { sized.update(s.space, s.list, x); }),
            "narrowed_list: the radius of particle 8 is negative or not finite");
  Kokkos::View<double**, Kokkos::LayoutRight, oracle::memory> const none("none", 0, 0);
  narrowed_type<double> no_types(s.space, 2.0, {.types = device_types, .type_cutoffs = none});
  EXPECT_EQ(error_of([&] { no_types.update(s.space, s.list, x); }),
            "narrowed_list: the type of particle 0 is not one of the 0 in type_cutoffs");
}

TEST(narrowed_list, lists_that_cannot_be_narrowed_are_refused) {
  oracle::space const space;
  auto const box = oracle::to_box(cube);
  auto const x = oracle::to_positions(oracle::uniform_points(300, cube, 4));
  narrowed_type<double> exact(space, 2.0);
  auto const refused = [&](list_type<double> const& list, char const* why) {
    auto const error = error_of([&] { exact.update(space, list, x); });
    EXPECT_NE(error.find(why), std::string::npos) << error;
  };
  list_type<double> list(space, box, 2.3, {.pair_images = true});
  refused(list, "the list with skin is not built");
  list.plan(space, x);
  refused(list, "the list with skin is not built");
  list.emit();
  exact.update(space, list, x);
  refused(list_type<double>(space, x, box, 2.3), "build it with pair_images = true");
  refused(list_type<double>(space, x, box, 1.9, {.pair_images = true}), "larger than that of the list with skin");
  std::vector<upsweep::image> const none(300, upsweep::image(0, 0, 0));
  auto const images = oracle::to_device(none);
  refused(list_type<double>(space, x, box, 2.3, {.images = images, .pair_images = true}), "images of ghosts");
  auto const radii = oracle::to_device(std::vector<double>(300, 1.15));
  refused(list_type<double>(space, x, box, 2.3, {.pair_images = true, .radii = radii}), "options.skin");
  list_type<double> const two(space, x, x, box, 2.3, {.pair_images = true});
  refused(two, "0 queries and 300 points for a list of 300 and 300");
  narrowed_type<double> of_two(space, 2.0);
  of_two.update(space, two, x, x);

  // An open box needs no images of pairs, unless they are asked for.
  upsweep::box<double> const open({-1, -1, -1}, {11, 11, 11}, {false, false, false});
  list_type<double> const without(space, x, open, 2.3, {.order = row_order::sorted});
  exact.update(space, without, x);
  list_type<double> const fresh(space, x, open, 2.0, {.order = row_order::sorted});
  EXPECT_EQ(to_plain(exact), to_plain(fresh));
  narrowed_type<double> imaged(space, 2.0, {.pair_images = true});
  EXPECT_NE(error_of([&] { imaged.update(space, without, x); }).find("pair_images"), std::string::npos);
}

TEST(narrowed_list, wrong_arguments_are_refused) {
  oracle::space const space;
  double const infinity = std::numeric_limits<double>::infinity();
  for (double bad : {0.0, -1.0, infinity, 1e-200, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(narrowed_type<double>(space, bad), upsweep::precondition_error) << bad;
  for (double bad : {-1.0, infinity})
    EXPECT_THROW(narrowed_type<double>(space, 2.0, {.skin = bad}), upsweep::precondition_error) << bad;
  auto const types = oracle::to_device(std::vector<int>(3, 0));
  auto const table = to_table({2.5}, 1);
  EXPECT_THROW(narrowed_type<double>(space, 2.0, {.types = types}), upsweep::precondition_error);
  EXPECT_THROW(narrowed_type<double>(space, 2.0, {.types = types, .type_cutoffs = table}), upsweep::precondition_error)
      << "a cutoff of a type above the list's";
}

// Less than the difference of the cutoffs, because the list with skin has its own types.
TEST(narrowed_list, a_skin_that_is_given_counts) {
  some_list s;
  auto now = s.x;
  now[5][0] += 0.2;
  s.expect_fresh(now);
  narrowed_type<double> strict(s.space, 2.0, {.skin = 0.1});
  auto const error = error_of([&] { strict.update(s.space, s.list, oracle::to_positions(now)); });
  EXPECT_NE(error.find("particle 5 is 0.2"), std::string::npos) << error;
  EXPECT_NE(error.find("with a skin of 0.1"), std::string::npos) << error;
}

TEST(narrowed_list, without_skin_the_same_positions_do) {
  some_list s;
  narrowed_type<double> same(s.space, 2.3, {.pair_images = true});
  same.update(s.space, s.list, oracle::to_positions(s.x));
  EXPECT_EQ(to_plain(same), to_plain(s.list));
  auto now = s.x;
  now[7][2] += 1e-6;
  EXPECT_NE(error_of([&] { same.update(s.space, s.list, oracle::to_positions(now)); }).find("particle 7 is"),
            std::string::npos);
}

TEST(narrowed_list, empty_ones) {
  oracle::space const space;
  points<double> const none;
  narrowed_type<double> exact(space, 2.0, {.pair_images = true});
  EXPECT_EQ(exact.offsets().extent(0), 0u);
  list_type<double> const list(space, oracle::to_positions(none), oracle::to_box(cube), 2.3, {.pair_images = true});
  exact.update(space, list, oracle::to_positions(none));
  EXPECT_EQ(oracle::to_host(exact.offsets()), std::vector<std::size_t>{0});
  EXPECT_EQ(exact.pairs(), 0u);
}

struct functor_positions {
  Kokkos::View<double* [3], Kokkos::LayoutRight, oracle::memory> x;
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(std::int64_t i) const { return {x(i, 0), x(i, 1), x(i, 2)}; }
};

TEST(narrowed_list, takes_a_functor) {
  some_list s;
  s.expect_fresh(s.x);
  auto const expected = to_plain(s.exact);
  narrowed_type<double> exact(s.space, 2.0, {.pair_images = true});
  exact.update(s.space, s.list, 300, functor_positions{oracle::to_positions(s.x)});
  EXPECT_EQ(to_plain(exact), expected);
}

// ---- memory

TEST(narrowed_list, a_second_update_takes_no_memory_and_waits_once) {
  some_list s;
  auto const x = oracle::to_positions(s.x);
  s.exact.update(s.space, s.list, x);
  std::size_t const held = s.exact.bytes();
  contracts::recorder const seen;
  s.exact.update(s.space, s.list, x);
  auto const allocations = contracts::recorder::allocations(), fences = contracts::recorder::fences();
  EXPECT_TRUE(allocations.empty()) << allocations.front();
  ASSERT_EQ(fences.size(), 1u) << fences.front();
  EXPECT_EQ(fences[0], "upsweep::narrowed_list::report");
  EXPECT_EQ(s.exact.bytes(), held);
  EXPECT_GE(held, 8 * s.list.pairs() + 32 * 300);
}

}  // namespace
