// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What lists take, and what they keep.

#include "../contracts/tools.hpp"
#include "lists.hpp"

#include <upsweep/neighbors/count_neighbors.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/builders/mask_builder.hpp>
#include <upsweep/neighbors/detail/grid/cell_grid.hpp>
#include <upsweep/neighbors/detail/rules/pair_lower_bound.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace {

using list_type = upsweep::neighbor_list<oracle::space, double>;

oracle::cell_box<double> cube_of(std::size_t n) {
  double const length = std::cbrt(static_cast<double>(n) / 0.8442);
  return {{0, 0, 0}, {length, length, length}, {true, true, true}};
}

TEST(neighbor_memory, bytes_a_particle_of_a_uniform_set) {
  std::size_t const n = 100000;
  auto const cube = cube_of(n);
  auto const x = oracle::to_positions(oracle::uniform_points(n, cube, 31));
  list_type const list(oracle::space{}, x, oracle::to_box(cube), 2.8);
  auto const& plan = list.last_plan();
  EXPECT_EQ(plan.list_bytes, 4 * plan.pairs + 8 * (n + 1));
  EXPECT_LE(plan.other_bytes, 192 * n);
  EXPECT_GE(plan.other_bytes, 24 * n);  // a copy of the positions, at least
}

// clear() keeps the list's own memory and frees what the options hold.
TEST(neighbor_memory, clear_lets_go_of_views) {
  auto const cube = cube_of(3000);
  auto const x = oracle::to_positions(oracle::uniform_points(3000, cube, 33));
  oracle::space const space;
  for (auto const builder : {upsweep::neighbor_builder::automatic, upsweep::neighbor_builder::plain}) {
    std::vector<std::int64_t> names(3000);
    std::iota(names.rbegin(), names.rend(), 0);
    auto const ids = oracle::to_device(names);
    auto const images = oracle::to_device(std::vector<upsweep::image>(3000, upsweep::image(0, 0, 0)));
    int const users = ids.use_count(), image_users = images.use_count();
    list_type list(space, x, oracle::to_box(cube), 2.5, {.ids = ids, .images = images, .builder = builder});
    EXPECT_GT(ids.use_count(), users);
    EXPECT_GT(images.use_count(), image_users);
    auto const bytes = list.last_plan().other_bytes;
    list.clear();
    EXPECT_EQ(ids.use_count(), users);
    EXPECT_EQ(images.use_count(), image_users);
    EXPECT_EQ(list.view().rows, 0u);
    list.set(oracle::to_box(cube), 2.5, {.ids = ids, .images = images, .builder = builder});
    list.update(space, x);
    EXPECT_GT(list.pairs(), 0u);
    EXPECT_LE(list.last_plan().other_bytes, bytes);
  }
}

TEST(neighbor_memory, a_second_build_takes_none) {
  auto const cube = cube_of(5000);
  auto points = oracle::uniform_points(5000, cube, 32);
  auto const x = oracle::to_positions(points);
  for (auto& p : points) p[0] += 0.01;
  auto const moved = oracle::to_positions(points);
  oracle::space const space;
  list_type list(space, oracle::to_box(cube), 2.5, {.builder = upsweep::neighbor_builder::automatic});
  // Twice, since counts differ a little; then memory suffices for both.
  for (int build = 0; build < 2; ++build) {
    list.update(space, x);
    list.update(space, moved);
  }
  contracts::recorder const seen;
  list.update(space, x);
  auto const allocations = contracts::recorder::allocations();
  if constexpr (upsweep::neighbors::detail::mask_builder<oracle::space, double>::exists) {
    EXPECT_TRUE(allocations.empty()) << allocations.front();
  } else {
    EXPECT_FALSE(allocations.empty());  // the plain builder allocates its offsets again
  }
}

TEST(neighbor_memory, counts_are_those_of_the_list) {
  auto const cube = cube_of(3000);
  auto const x = oracle::to_positions(oracle::uniform_points(3000, cube, 33));
  for (bool half : {false, true}) {
    upsweep::neighbor_options const options{.half = half};
    list_type const list(oracle::space{}, x, oracle::to_box(cube), 2.0, options);
    Kokkos::View<int*, oracle::memory> const counts("counts", 3000);
    auto const plan = upsweep::count_neighbors(oracle::space{}, x, oracle::to_box(cube), 2.0, counts, options);
    EXPECT_EQ(plan.pairs, list.pairs());
    auto const got = oracle::to_host(counts);
    auto const offsets = oracle::to_host(list.offsets());
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(static_cast<std::size_t>(got[i]), offsets[i + 1] - offsets[i]) << i;
  }
  Kokkos::View<int*, oracle::memory> const few("few", 7);
  EXPECT_THROW(upsweep::count_neighbors(oracle::space{}, x, oracle::to_box(cube), 2.0, few),
               upsweep::precondition_error);
  Kokkos::View<std::int8_t*, oracle::memory> const narrow("narrow", 3000);
  EXPECT_THROW(upsweep::count_neighbors(oracle::space{}, x, oracle::to_box(cube), 9.0, narrow),
               upsweep::overflow_error);
}

// Budgets are rounded down to words of 4 bytes: the smallest ones allow none, which is not the same as no budget.
TEST(neighbor_memory, the_smallest_budgets_are_budgets) {
  if constexpr (upsweep::neighbors::detail::mask_builder<oracle::space, double>::exists) {
    auto const cube = cube_of(1000);
    auto const x = oracle::to_positions(oracle::uniform_points(1000, cube, 34));
    for (std::size_t budget : {1, 2, 3, 4, 7}) {
      try {
        list_type const list(oracle::space{}, x, oracle::to_box(cube), 2.5, {.memory_budget = budget});
        ADD_FAILURE() << budget << " bytes hold the masks of a group";
      } catch (upsweep::out_of_memory_error const& e) {
        auto const text = "the memory budget allows " + std::to_string(budget) + ";";
        EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
      }
    }
  }
}

// The plain builder cannot work in pieces: it says what it needs.
TEST(neighbor_memory, the_plain_builder_obeys_a_budget_or_says_what_it_needs) {
  oracle::space const space;
  auto const cube = cube_of(5000);
  auto const x = oracle::to_positions(oracle::uniform_points(5000, cube, 34));
  auto const box = oracle::to_box(cube);
  upsweep::neighbor_options options{.builder = upsweep::neighbor_builder::plain};
  auto const message = [&] {
    try {
      list_type const list(space, x, box, 2.5, options);
    } catch (upsweep::out_of_memory_error const& e) {
      return std::string(e.what());
    }
    return std::string("nothing thrown");
  };
  options.memory_budget = 100;
  EXPECT_NE(message().find("but memory_budget is 100"), std::string::npos) << message();
  options.memory_budget = 100000;
  EXPECT_EQ(message(), "nothing thrown");
  // With images, pairs are packed first: 8 bytes per pair.
  options.pair_images = true;
  std::size_t const pairs = list_type(space, x, box, 2.5).pairs();
  EXPECT_EQ(message(), "neighbor_list: pairs with their images take " + std::to_string(8 * pairs) +
                           " bytes in addition to the list, but memory_budget is 100000");
  options.memory_budget = 8 * pairs;
  EXPECT_EQ(message(), "nothing thrown");
}

// ---- dense cells

/// The lower bound by which lists of dense cells are refused.
std::uint64_t pair_lower_bound(oracle::positions_view<double> const& x, std::int64_t rows,
                               upsweep::box<double> const& box, double cutoff,
                               upsweep::neighbor_options const& options) {
  upsweep::neighbors::detail::cell_grid<oracle::space, double> grid(oracle::space{});
  grid.update(upsweep::neighbors::detail::make_positions(x), std::int64_t(x.extent(0)), rows, 0, box, cutoff, options);
  upsweep::neighbors::detail::pair_lower_bound<double> count{grid.binned(), options.half};
  if (options.max_neighbors) count.most_in_row = static_cast<std::size_t>(*options.max_neighbors);
  std::uint64_t pairs = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<oracle::space, Kokkos::IndexType<std::int64_t>>(0, grid.binned().grid.total()), count, pairs);
  return pairs;
}

TEST(neighbor_dense_cells, certain_pairs_are_never_more_than_there_are) {
  std::size_t const n = 1600;
  oracle::cell_box<double> const space{{0, 0, 0}, {12, 12, 12}, {true, true, true}};
  auto const box = oracle::to_box(space);
  auto const background = oracle::uniform_points(300, space, 35);
  for (double size : {0.0, 0.01, 0.3, 0.7, 1.0, 1.5})
    for (double flat : {0.0, 1.0}) {
      SCOPED_TRACE("particles in a box of size " + std::to_string(size) + ", height times " + std::to_string(flat));
      // In the cell from 36/11 on, except for the largest size.
      oracle::cell_box<double> const corner{{3.3, 3.3, 3.3}, {3.3 + size, 3.3 + size, 3.3 + flat * size}, {}};
      auto points = oracle::uniform_points(n, corner, 36);
      points.insert(points.end(), background.begin(), background.end());
      auto const x = oracle::to_positions(points);
      for (bool half : {false, true}) {
        upsweep::neighbor_options const options{.half = half};
        auto const bound = pair_lower_bound(x, std::int64_t(points.size()), box, 1.0, options);
        auto const pairs = list_type(oracle::space{}, x, box, 1.0, options).pairs();
        EXPECT_LE(bound, pairs);
        EXPECT_GE(bound, size <= 0.3 ? n * (n - 1) / (half ? 2 : 1) : size <= 1 ? pairs / 8 : 0);
      }
      upsweep::neighbor_options const nearest{.max_neighbors = 50};
      auto const bound = pair_lower_bound(x, std::int64_t(points.size()), box, 1.0, nearest);
      EXPECT_LE(bound, list_type(oracle::space{}, x, box, 1.0, nearest).pairs());
      EXPECT_GE(bound, size <= 0.3 ? n * 50 : 0);
    }
}

TEST(neighbor_dense_cells, certain_pairs_of_ghosts_are_those_of_their_own_image) {
  std::size_t const n = 1500;
  oracle::cell_box<double> const space{{0, 0, 0}, {12, 12, 12}, {true, true, true}};
  // All ghosts but the last 100 are seen far away, though their coordinates are those of the dense cell.
  std::vector<std::array<double, 3>> const points(2 * n, {0.1, 0.1, 0.1});
  std::vector<upsweep::image> images(2 * n, upsweep::image(0, 0, 0));
  for (std::size_t i = n; i < 2 * n - 100; ++i) images[i] = upsweep::image(1, 0, 0);
  auto const x = oracle::to_positions(points);
  auto const device_images = oracle::to_device(images);
  upsweep::neighbor_options const options{.rows = n, .images = device_images};
  EXPECT_EQ(pair_lower_bound(x, std::int64_t(n), oracle::to_box(space), 1.0, options), n * (n + 99));
  EXPECT_EQ(list_type(oracle::space{}, x, oracle::to_box(space), 1.0, options).pairs(), n * (n + 99));
}

TEST(neighbor_dense_cells, lists_that_cannot_fit_are_refused_before_distances_are_computed) {
  oracle::space const space;
  std::size_t const available = upsweep::available_memory(space);
  if (available == std::numeric_limits<std::size_t>::max()) GTEST_SKIP() << "the memory of this system is not known";
  // Their pairs take more than twice the memory that there is.
  auto const n = static_cast<std::size_t>(1.5 * std::sqrt(static_cast<double>(available) / 4));
  auto const cube = cube_of(4000);
  auto points = oracle::uniform_points(4000, cube, 37);
  points.insert(points.end(), n, {2, 2, 2});
  auto const x = oracle::to_positions(points);
  for (auto builder : {upsweep::neighbor_builder::automatic, upsweep::neighbor_builder::plain}) {
    contracts::recorder const seen;
    try {
      list_type const list(space, x, oracle::to_box(cube), 1.2, {.builder = builder});
      FAIL() << list.pairs() << " pairs fit";
    } catch (upsweep::out_of_memory_error const& e) {
      std::string const text = e.what();
      EXPECT_NE(text.find(" bytes for a list of at least "), std::string::npos) << text;
      EXPECT_NE(text.find(" bytes are available in "), std::string::npos) << text;
    }
    for (auto const& k : contracts::recorder::kernels()) {
      EXPECT_NE(k.label, "upsweep::neighbor_list::count");
      EXPECT_NE(k.label, "upsweep::pack_lists::count[neighbor_list]");
    }
  }
}

/// The fcc crystal that everybody knows, computed: 191^3 cells of 4.
struct crystal {
  double a;
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(std::size_t i) const {
    std::int64_t const cell = i / 4, of = i % 4;
    return {a * (static_cast<double>(cell % 191) + (of == 1 || of == 2 ? 0.5 : 0)),
            a * (static_cast<double>(cell / 191 % 191) + (of == 1 || of == 3 ? 0.5 : 0)),
            a * (static_cast<double>(cell / 191 / 191) + (of == 2 || of == 3 ? 0.5 : 0))};
  }
};

TEST(long_neighbors, more_than_two_to_the_31_pairs) {
  if (!upsweep::compat::is_gpu<oracle::space>) GTEST_SKIP() << "takes 13 GB; run on GPUs";
  double const a = std::cbrt(4 / 0.8442);
  std::int64_t const n = std::int64_t(4) * 191 * 191 * 191;
  list_type const list(oracle::space{}, n, crystal{a}, upsweep::box<double>({0, 0, 0}, {191 * a, 191 * a, 191 * a}),
                       2.8);
  EXPECT_EQ(list.rows(), 27871484u);
  EXPECT_EQ(list.pairs(), 2173975752u);
  EXPECT_EQ(list.largest_row(), 78u);
}

}  // namespace
