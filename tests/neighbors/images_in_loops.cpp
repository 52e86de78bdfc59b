// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/message_of.hpp"
#include "../oracle/views.hpp"
#include "lists.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/neighbors/pair_index.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

// Functors that take an image, of lists that keep images and of others.

namespace {

using list_type = upsweep::neighbor_list<oracle::space, double>;
using output = Kokkos::View<double*, oracle::memory>;

constexpr char const* refused =
    ": the functor takes an image and the list keeps none (expected a list that was built with "
    "options.pair_images = true)";

struct count_shifted {
  KOKKOS_FUNCTION void operator()(std::size_t, int, upsweep::image s, double& sum) const {
    sum += s == upsweep::image(0, 0, 0) ? 1 : 1000;
  }
};
struct count_shifted_by_number {
  KOKKOS_FUNCTION void operator()(std::size_t, int, upsweep::image s, upsweep::pair_index, double& sum) const {
    sum += s == upsweep::image(0, 0, 0) ? 1 : 1000;
  }
};
struct count {
  KOKKOS_FUNCTION void operator()(std::size_t, int, double& sum) const { sum += 1; }
};
struct store {
  output out;
  KOKKOS_FUNCTION void operator()(std::size_t i, double sum) const { out(i) = sum; }
};

/// Two particles in a cube of edge 10, at both ends of an edge and so 1 apart where the cube is periodic; and one
/// beside the first.
oracle::positions_view<double> three_points() {
  return oracle::to_positions<double>({{0.5, 5, 5}, {9.5, 5, 5}, {1, 5, 5}});
}
upsweep::box<double> cube(bool periodic) { return {{0, 0, 0}, {10, 10, 10}, {periodic, periodic, periodic}}; }

template <class F, class Rows>
std::vector<double> sums_of(Rows const& rows) {
  output const sums("sums", 3);
  upsweep::reduce_rows<double>(oracle::space{}, rows, F{}, store{sums});
  return oracle::to_host(sums);
}

TEST(images_in_loops, are_refused_of_lists_without_them) {
  for (bool const periodic : {true, false}) {
    list_type const list(oracle::space{}, three_points(), cube(periodic), 1.2);
    auto const expect_refused = [&](auto const& rows) {
      EXPECT_EQ(oracle::message_of([&] { sums_of<count_shifted>(rows); }), std::string("reduce_rows") + refused);
      EXPECT_EQ(oracle::message_of([&] { sums_of<count_shifted_by_number>(rows); }),
                std::string("reduce_rows") + refused);
    };
    expect_refused(list);
    expect_refused(list.view());
    auto const chosen = oracle::to_device(std::vector<std::size_t>{0, 2});
    expect_refused(upsweep::choose_rows(list, chosen));
    EXPECT_EQ(sums_of<count>(list), periodic ? (std::vector<double>{2, 1, 1}) : (std::vector<double>{1, 0, 1}));
  }
}
TEST(images_in_loops, are_refused_without_rows_too) {
  oracle::positions_view<double> const none("none", 0);
  list_type const list(oracle::space{}, none, cube(true), 1.2);
  EXPECT_THROW(sums_of<count_shifted>(list), upsweep::precondition_error);
}
/// Whether loops outside of kernels reach the list. A template's constant: other branches of `if constexpr` are not
/// compiled then.
template <class List>
constexpr bool is_in_reach = Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename List::memory_space>::accessible;

template <class List>
void expect_refused_outside_of_kernels(List const& list) {
  if constexpr (is_in_reach<List>) {
    EXPECT_EQ(oracle::message_of([&] { upsweep::for_each_neighbor(list, 0, [](int, upsweep::image) {}); }),
              std::string("for_each_neighbor") + refused);
    auto const add = [](int, upsweep::image s, double& sum) { sum += s.x(); };
    double sum = 7;
    EXPECT_EQ(oracle::message_of([&] { upsweep::reduce_neighbors(list, 0, add, sum); }),
              std::string("reduce_neighbors") + refused);
    EXPECT_EQ(oracle::message_of([&] { upsweep::reduce_neighbors(list, 0, add, Kokkos::Sum<double>(sum)); }),
              std::string("reduce_neighbors") + refused);
    EXPECT_EQ(sum, 7);
    upsweep::reduce_neighbors(list, 0, [](int j, double& s) { s += j; }, sum);
    EXPECT_EQ(sum, 3);
  }
}
TEST(images_in_loops, are_refused_outside_of_kernels) {
  expect_refused_outside_of_kernels(list_type(oracle::space{}, three_points(), cube(true), 1.2));
}

template <class List>
void expect_shift_outside_of_kernels(List const& list, double expected) {
  if constexpr (is_in_reach<List>) {
    double sum = 0;
    upsweep::reduce_neighbors(list, 1, [](int, upsweep::image s, double& to) { to += s.x(); }, sum);
    EXPECT_EQ(sum, expected);
  }
}
TEST(images_in_loops, of_lists_with_them) {
  for (bool const periodic : {true, false}) {
    list_type const list(oracle::space{}, three_points(), cube(periodic), 1.2, {.pair_images = true});
    auto const expected = periodic ? std::vector<double>{1001, 1000, 1} : std::vector<double>{1, 0, 1};
    EXPECT_EQ(sums_of<count_shifted>(list), expected);
    EXPECT_EQ(sums_of<count_shifted_by_number>(list.view()), expected);
    expect_shift_outside_of_kernels(list, periodic ? 1 : 0);
  }
}
/// Images of no pairs have no memory, and are kept nevertheless.
TEST(images_in_loops, of_lists_without_pairs) {
  std::vector<double> const zeros(3);
  list_type list(oracle::space{}, three_points(), cube(true), 0.1, {.pair_images = true});
  ASSERT_EQ(list.pairs(), 0u);
  EXPECT_EQ(sums_of<count_shifted>(list), zeros);
  EXPECT_EQ(sums_of<count_shifted>(upsweep::make_neighbor_rows(list.offsets(), list.neighbors(), list.pair_images())),
            zeros);
  EXPECT_THROW(sums_of<count_shifted>(upsweep::make_neighbor_rows(list.offsets(), list.neighbors())),
               upsweep::precondition_error);
  // A list that was not built is no list without images.
  list_type const unbuilt(oracle::space{}, cube(true), 0.1, {.pair_images = true});
  EXPECT_EQ(sums_of<count_shifted>(unbuilt), zeros);
}

}  // namespace
