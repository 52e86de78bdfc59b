// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/message_of.hpp"
#include "../oracle/views.hpp"
#include "lists.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/optional_view.hpp>
#include <upsweep/neighbors/batched_neighbor_list.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using oracle::space;

/// Expects the values of pairs of that name to be given, or that view() names what is missing.
template <class Kept>
void expect_given(Kept const& kept, bool given, std::string const& list, std::string const& name, std::size_t pairs) {
  EXPECT_EQ(kept.given(), given) << name;
  if (given) {
    EXPECT_EQ(kept.view().extent(0), pairs) << name;
    return;
  }
  EXPECT_EQ(oracle::message_of<upsweep::precondition_error>([&] { kept.view(); }),
            list + "::" + name + ": the list keeps none (expected a list that was built with options." + name +
                " = true; given() says whether it was)");
  EXPECT_EQ(kept.data(), nullptr) << name;
  EXPECT_EQ(kept.extent(0), 0u) << name;
}

/// Bit k of `given`: whether the k-th is given.
template <class List>
void expect_given(List const& list, unsigned given, std::string const& name) {
  expect_given(list.pair_images(), given & 1, name, "pair_images", list.pairs());
  expect_given(list.first_indices(), given & 2, name, "first_indices", list.pairs());
  expect_given(list.unwrapped_images(), given & 4, name, "unwrapped_images", list.pairs());
  expect_given(list.displacements(), given & 8, name, "displacements", list.pairs());
  expect_given(list.distances(), given & 16, name, "distances", list.pairs());
}

upsweep::neighbor_options keeps(unsigned given) {
  return {.pair_images = (given & 1) != 0,
          .first_indices = (given & 2) != 0,
          .unwrapped_images = (given & 4) != 0,
          .displacements = (given & 8) != 0,
          .distances = (given & 16) != 0};
}

upsweep::box<double> cube() { return {{0, 0, 0}, {10, 10, 10}}; }
oracle::positions_view<double> two_points() { return oracle::to_positions<double>({{0.5, 5, 5}, {9.5, 5, 5}}); }

TEST(kept_view, names_the_option_that_is_missing) {
  upsweep::neighbor_list<space, double> list(space{}, cube(), 1.2, keeps(31));
  expect_given(list, 0, "neighbor_list");  // not built
  for (unsigned const given : {0u, 1u, 2u, 4u, 8u, 16u, 31u}) {
    list.set(cube(), 1.2, keeps(given));
    list.update(space{}, two_points());
    EXPECT_EQ(list.pairs(), 2u);
    expect_given(list, given, "neighbor_list");
  }
}
TEST(kept_view, of_no_pairs_is_given) {
  upsweep::neighbor_list<space, double> const list(space{}, two_points(), cube(), 0.1, keeps(31));
  EXPECT_EQ(list.pairs(), 0u);
  expect_given(list, 31, "neighbor_list");
}
TEST(kept_view, of_batches) {
  auto const offsets = oracle::to_device(std::vector<std::int64_t>{0, 2});
  std::vector<upsweep::box<double>> const boxes{cube()};
  for (unsigned const given : {0u, 9u, 31u}) {
    upsweep::batched_neighbor_list const list(space{}, two_points(), offsets, boxes, 1.2, keeps(given));
    expect_given(list, given, "batched_neighbor_list");
  }
}
/// What calls take may be missing, and stays so where a list keeps none.
TEST(kept_view, becomes_an_optional_view) {
  upsweep::neighbor_list<space, double> list(space{}, two_points(), cube(), 1.2);
  using images = Kokkos::View<upsweep::image const*, oracle::memory>;
  upsweep::optional_view<images> const none = list.pair_images();
  EXPECT_FALSE(none.given());
  list.set(cube(), 1.2, keeps(1));
  list.update(space{}, two_points());
  upsweep::optional_view<images> const given = list.pair_images();
  EXPECT_TRUE(given.given());
  EXPECT_EQ(given.view().data(), list.pair_images().view().data());
}

}  // namespace
