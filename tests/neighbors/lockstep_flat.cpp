// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernels of GPUs for lists of few candidates, on a CPU with lockstep lanes: their rows are those of the plain
// builder.

#include "boxes.hpp"
#include "host_list.hpp"
#include "lockstep_groups.hpp"
#include "note_visits.hpp"

#include <upsweep/neighbors/detail/grid/cell_grid.hpp>
#include <upsweep/neighbors/detail/masks/gpu/emit_flat.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

namespace {

namespace detail = upsweep::neighbors::detail;
using namespace lockstep_groups;
using upsweep::image;
using upsweep::neighbor_options;

/// Groups of 32 particles, and of several cells. warps_per_group: those that share a group.
template <class Real>
void expect_rows_of_plain(oracle::list_problem<Real> const& p, int warps_per_group = 1) {
  auto const expected =
      build_list(p.x, p.box, p.cutoff, p.rules, oracle::with_all_values({.builder = upsweep::neighbor_builder::plain}));
  auto const n = static_cast<std::int64_t>(p.x.size());
  auto const rows = p.rules.rows < 0 ? n : std::int64_t(p.rules.rows);
  neighbor_options options;
  options.rows = rows;
  detail::cell_grid<host, Real> grid{host{}};
  grid.set_groups(32, 24);
  grid.update(host_positions<Real>{p.x.data()}, n, rows, 0, oracle::to_box(p.box), p.cutoff, options);
  auto const& binned = grid.binned();
  detail::neighbor_search<Real> const search{binned, {}};
  std::vector<std::uint32_t> words(1 << 20, 0xdeadbeefu);
  std::vector<std::uint64_t> first_word(static_cast<std::size_t>(grid.most_groups()));
  std::uint64_t used = 0, largest = 0;
  std::vector<std::size_t> counts(static_cast<std::size_t>(rows), 12345);
  detail::mask_pass<Real> pass{search, grid.groups(),      grid.group_count(),
                               0,      grid.most_groups(), {words.data(), words.size(), &used, first_word.data()}};
  pass.warps_per_group = warps_per_group;
  using systems = detail::one_system<Real>;
  run(detail::count_flat_gpu<Real, systems, lanes>{pass, {counts.data(), &largest}, true}, grid.most_groups());
  ASSERT_LE(used, words.size());
  for (std::size_t i = 0; i < counts.size(); ++i) ASSERT_EQ(counts[i], expected.rows[i].size()) << "row " << i;
  EXPECT_EQ(largest, expected.largest_row);

  oracle::neighbor_rows visited(counts.size());
  auto whole = pass;  // a visitor is handed a row in its order
  whole.warps_per_group = 1;
  run(detail::count_flat_gpu<Real, systems, lanes, 8, oracle::visitor_of_rows>{whole, {}, false, {{&visited}}},
      grid.most_groups());
  ASSERT_EQ(visited, expected.rows);

  std::vector<std::size_t> offsets(counts.size() + 1);
  std::partial_sum(counts.begin(), counts.end(), offsets.begin() + 1);
  std::vector<int> neighbors(offsets.back(), -7);
  detail::row_slots slots{offsets.data(), neighbors.data(), nullptr, false, {}};
  auto const expect_neighbors = [&] {
    for (std::size_t i = 0; i < counts.size(); ++i)
      for (std::size_t k = 0; k < counts[i]; ++k)
        ASSERT_EQ(neighbors[offsets[i] + k], std::get<0>(expected.rows[i][k])) << "row " << i;
  };
  // Where there is no room, or a particle is bad, nothing is written.
  detail::mask_totals published = {};
  std::uint64_t bad = 0;
  std::size_t const pairs = offsets.back();
  for (bool const is_bad : {false, true}) {
    bad = is_bad ? 7 : 0;
    for (bool const is_short : {true, false}) {
      if (!is_bad && !is_short) continue;
      slots.found = {&offsets.back(), &largest,  &used, grid.group_count(), &bad, is_short ? pairs - 1 : pairs,
                     words.size(),    &published};
      run(detail::emit_flat_gpu<Real, false, false, systems, lanes>{pass, slots}, grid.most_groups());
      EXPECT_EQ(std::count(neighbors.begin(), neighbors.end(), -7), static_cast<std::ptrdiff_t>(pairs));
    }
  }
  bad = 0;
  run(detail::emit_flat_gpu<Real, false, false, systems, lanes>{pass, slots}, grid.most_groups());
  EXPECT_EQ(published.pairs, pairs);
  EXPECT_EQ(published.largest_row, largest);
  EXPECT_EQ(published.words, used);
  EXPECT_EQ(published.groups, *grid.group_count() >> 32);
  slots.found = {};
  ASSERT_NO_FATAL_FAILURE(expect_neighbors());

  std::fill(neighbors.begin(), neighbors.end(), -7);
  std::vector<image> images(neighbors.size(), image(3, 3, 3));
  slots.images = images.data();
  auto const expect_images = [&] {
    ASSERT_NO_FATAL_FAILURE(expect_neighbors());
    for (std::size_t i = 0; i < counts.size(); ++i)
      for (std::size_t k = 0; k < counts[i]; ++k) {
        auto const [j, x, y, z] = expected.rows[i][k];
        ASSERT_EQ(images[offsets[i] + k], image(x, y, z)) << "row " << i;
      }
  };
  run(detail::emit_flat_gpu<Real, true, false, systems, lanes>{pass, slots}, grid.most_groups());
  ASSERT_NO_FATAL_FAILURE(expect_images());

  std::fill(neighbors.begin(), neighbors.end(), -7);
  std::fill(images.begin(), images.end(), image(3, 3, 3));
  std::vector<int> first_indices(neighbors.size(), -7);
  std::vector<Real> displacements(3 * neighbors.size()), distances(neighbors.size());
  detail::value_slots<Real> const all{slots,
                                      {first_indices.data(), nullptr, displacements.data(), distances.data(), nullptr}};
  run(detail::emit_flat_gpu<Real, true, true, systems, lanes>{pass, all}, grid.most_groups());
  ASSERT_NO_FATAL_FAILURE(expect_images());
  for (std::size_t k = 0; k < neighbors.size(); ++k) {
    auto const& value = expected.values[k];
    ASSERT_EQ(first_indices[k], value.first);
    ASSERT_EQ(oracle::bits_of(distances[k]), value.distance);
    for (std::size_t d = 0; d < 3; ++d) ASSERT_EQ(oracle::bits_of(displacements[3 * k + d]), value.displacement[d]);
  }
}

template <class Real>
class lockstep_flat_of : public testing::Test {};
#ifdef UPSWEEP_TEST_EVERY_TYPE
using reals = testing::Types<float, double>;
#else
using reals = testing::Types<double>;
#endif
TYPED_TEST_SUITE(lockstep_flat_of, reals);

TYPED_TEST(lockstep_flat_of, points_in_boxes) {
  using real = TypeParam;
  oracle::cell_box<real> const tilted{{0, 0, 0}, {9, 8, 7}, {true, true, false}, {1, 0, real(0.5)}};
  auto const x = oracle::uniform_points(600, tilted, 1);
  for (real const cutoff : {real(0.7), real(1.2), real(2)})
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<real>({tilted, x, cutoff, {}}));
  for (int const warps : {2, 4}) ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<real>({tilted, x, real(1.2), {}}, warps));
  // Few cells, of which each wraps to both sides.
  oracle::cell_box<real> const narrow{{-1, 2, 0}, {real(1.5), 5, 4}, {true, true, true}};
  ASSERT_NO_FATAL_FAILURE(
      expect_rows_of_plain<real>({narrow, oracle::uniform_points(90, narrow, 2), real(1.3), {}}, 4));
}

/// Distances at the cutoff: single precision does not decide.
TYPED_TEST(lockstep_flat_of, lattice) {
  using real = TypeParam;
  oracle::points<real> cubic;
  for (int k = 0; k < 216; ++k) cubic.push_back({real(k % 6), real(k / 6 % 6), real(k / 36)});
  std::shuffle(cubic.begin(), cubic.end(), std::mt19937(2));
  for (real const cutoff : {real(1), real(2), real(0.999999)}) {
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<real>({cube_of(real(6)), cubic, cutoff, {}}));
    // No distance of these is exact: their last bits decide.
    auto const tenth = real(0.1);
    ASSERT_NO_FATAL_FAILURE(
        expect_rows_of_plain<real>({cube_of(real(6) * tenth), scaled(cubic, tenth), cutoff * tenth, {}}));
  }
}

TEST(lockstep_flat, squares_that_floats_do_not_hold) {
  auto const x = oracle::uniform_points(300, cube_of(6.0), 5);
  for (double const scale : {1e-30, 1e-22, 1e18, 1e30})
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<double>({cube_of(6 * scale), scaled(x, scale), 1.5 * scale, {}}));
}

/// More candidates, and more hits, than scratch has room for.
TYPED_TEST(lockstep_flat_of, dense_cells) {
  using real = TypeParam;
  oracle::cell_box<real> const box{{0, 0, 0}, {9, 8, 7}, {true, true, false}};
  auto dense = oracle::uniform_points(500, box, 3);
  for (std::size_t k = 0; k < 900; ++k) dense.push_back({3, 3, real(3 + 0.001 * double(k % 7))});
  ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<real>({box, dense, real(1), {}}));
}

TYPED_TEST(lockstep_flat_of, rows_of_some_particles) {
  using real = TypeParam;
  oracle::cell_box<real> const box{{0, 0, 0}, {9, 8, 7}, {false, true, false}};
  oracle::list_problem<real> p{box, oracle::uniform_points(400, box, 4), real(1.5), {}};
  std::shuffle(p.x.begin(), p.x.end(), std::mt19937(3));
  p.rules.rows = 150;
  ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain(p));
}

}  // namespace
