// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernel that GPUs build batches of small systems with, on a CPU with lockstep lanes: its rows are those of the
// plain builder.

#include "batches.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/builders/small_systems_builder.hpp>
#include <upsweep/neighbors/detail/grid/system_table.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace {

using namespace upsweep::neighbors::detail;
using oracle::batch_arrays;
using oracle::batch_of;
using upsweep::image;
using lanes = upsweep::team::testing::lockstep_lanes<32>;
using upsweep::team::testing::lockstep_league;
using upsweep::team::testing::lockstep_league_member;

/// As small_systems_builder does it, again and again.
template <class Real>
class machine {
 public:
  small_systems_report report;
  std::vector<std::size_t> offsets;
  std::vector<int> neighbors, of_particle;
  std::vector<image> images;

  machine(batch_arrays<Real> const& batch, Real cutoff, bool include_cutoff = true)
      : x_(batch.x),
        ends_(batch.offsets.begin(), batch.offsets.end()),
        boxes_(batch.boxes),
        grids_(boxes_.size()),
        cutoff_(cutoff),
        include_cutoff_(include_cutoff) {}

  /// capacity: pairs that there is room for. warps: at least.
  void run(system_room const& room, int least_warps, std::size_t capacity) {
    int const warps = std::min(std::max(least_warps, (room.particles + 31) / 32), 4);
    auto const n = x_.size(), systems = boxes_.size();
    offsets.assign(n + 1, 7);
    of_particle.assign(n, -7);
    neighbors.assign(capacity, -7);
    images.assign(capacity, image(3, 3, 3));
    few_particles_slots<Real> to;
    to.neighbors = neighbors.data();
    to.images = images.data();
    to.capacity = capacity;
    auto const teams = static_cast<int>(systems);
    std::vector<std::uint64_t> words(row_sums::words_of(teams), 0);
    unmeasured_systems<Real> const of{.positions = {n == 0 ? nullptr : x_[0].data(), 3, 1},
                                      .particles = static_cast<std::int64_t>(n),
                                      .offsets = ends_.data(),
                                      .boxes = boxes_.data(),
                                      .count = teams,
                                      .cutoff = cutoff_,
                                      .cutoff_squared = largest_square(cutoff_, include_cutoff_),
                                      .grids = grids_.data(),
                                      .grids_are_known = grids_are_known_,
                                      .of_particle = of_particle.data()};
    build_systems<Real, lanes> const build{of, room, {words.data(), teams}, offsets.data(), to, &report};
    // As a device may start them.
    std::vector<int> order(systems);
    for (std::size_t k = 0; k < systems; ++k) order[k] = static_cast<int>(k);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
    lockstep_league league(system_scratch<Real, lanes>::bytes(room));
    for (int const team : order)
      league.run_team(team, teams, warps * lanes::size, [&](lockstep_league_member const& m) { build(m); });
    grids_are_known_ = !report.found.failed;
  }

  void move(std::size_t particle, std::size_t d, Real to) { x_[particle][d] = to; }
  void move_offset(std::size_t system, std::int64_t to) { ends_[system] = to; }

 private:
  oracle::points<Real> x_;
  std::vector<std::int64_t> ends_;
  std::vector<upsweep::box<Real>> boxes_;
  std::vector<grid_geometry<Real>> grids_;
  Real cutoff_;
  bool include_cutoff_, grids_are_known_ = false;
};

template <class Real>
void expect_rows(machine<Real> const& found, oracle::fetched_rows const& expected) {
  ASSERT_FALSE(found.report.found.failed);
  ASSERT_EQ(found.report.pairs, expected.pairs);
  ASSERT_EQ(found.report.found.largest_row, expected.largest_row);
  std::size_t k = 0;
  for (std::size_t i = 0; i < expected.rows.size(); ++i) {
    ASSERT_EQ(found.offsets[i], k) << "row " << i;
    for (auto const& [j, sx, sy, sz] : expected.rows[i]) {
      ASSERT_EQ(found.neighbors[k], j) << "row " << i;
      ASSERT_EQ(found.images[k], image(sx, sy, sz)) << "row " << i;
      ++k;
    }
  }
  ASSERT_EQ(found.offsets.back(), k);
}

template <class Real>
void check(batch_of<Real> const& batch, Real cutoff, int warps = 4, bool include_cutoff = true) {
  batch_arrays<Real> const arrays(batch);
  oracle::batch_rules rules;
  rules.options.builder = upsweep::neighbor_builder::plain;
  rules.options.pair_images = true;
  rules.options.include_cutoff = include_cutoff;
  auto const expected = rows_alone(arrays, cutoff, rules);
  std::size_t largest = 0;
  for (auto const& system : batch) largest = std::max(largest, system.x.size());
  machine<Real> found(arrays, cutoff, include_cutoff);
  // Too little room of each kind is reported.
  auto const particles = static_cast<int>(std::max(largest, std::size_t(1)));
  if (largest > 1) {
    found.run({particles - 1, 40}, warps, 0);
    EXPECT_TRUE(found.report.found.failed);
    EXPECT_EQ(found.report.found.particles, largest);
  }
  found.run({particles, 1}, warps, 0);
  auto const words = static_cast<int>(found.report.found.words);
  EXPECT_EQ(found.report.found.failed, words > 1);
  found.run({particles, std::max(words, 1)}, warps, 0);
  ASSERT_FALSE(found.report.found.failed);
  ASSERT_EQ(found.report.pairs, expected.pairs);
  ASSERT_EQ(found.offsets.back(), expected.pairs);
  // Nothing is written behind what there is memory for.
  if (expected.pairs > 0) found.run({particles, words + 1}, warps, expected.pairs - 1);
  for (int const more : {0, 3}) {
    found.run({particles + more, std::max(words, 1) + more}, warps, expected.pairs);
    ASSERT_NO_FATAL_FAILURE(expect_rows(found, expected));
    for (std::size_t b = 0; b < batch.size(); ++b)
      for (int i = arrays.offsets[b]; i < arrays.offsets[b + 1]; ++i)
        ASSERT_EQ(found.of_particle[static_cast<std::size_t>(i)], static_cast<int>(b));
  }
}

constexpr bool lists_are_of_cpus = Kokkos::SpaceAccessibility<Kokkos::HostSpace, oracle::memory>::accessible;

template <class Real>
class lockstep_small_systems : public testing::Test {
 protected:
  void SetUp() override {
    if (!lists_are_of_cpus) GTEST_SKIP() << "real warps build these lists here";
  }
};
#ifdef UPSWEEP_TEST_EVERY_TYPE
using reals = testing::Types<float, double>;
#else
using reals = testing::Types<float>;
#endif
TYPED_TEST_SUITE(lockstep_small_systems, reals);

// Of many cells and of one, empty ones, and far outside along periodic directions.
TYPED_TEST(lockstep_small_systems, random_systems) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    int const warps = seed % 3 == 0 ? 4 : static_cast<int>(seed % 3);
    ASSERT_NO_FATAL_FAILURE(check(oracle::random_batch<TypeParam>(seed, 12, seed % 4 == 0 ? 128 : 40),
                                  static_cast<TypeParam>(seed % 3 == 0 ? 0.4 : 1.3), warps, seed % 2 == 0));
  }
}

// Rows of one, two and four for a lane; the last row of teams' blocks; several images.
TYPED_TEST(lockstep_small_systems, numbers_of_particles) {
  using real = TypeParam;
  oracle::cell_box<real> const box{{-1, 2, 0}, {2, 5, 3}, {true, true, true}};
  batch_of<real> batch;
  for (std::size_t const n : {1u, 2u, 3u, 31u, 32u, 33u, 63u, 64u, 65u, 96u, 97u, 127u, 128u})
    batch.push_back({oracle::to_box(box), oracle::uniform_points(n, box, static_cast<unsigned>(n))});
  ASSERT_NO_FATAL_FAILURE(check(batch, real(1.4)));
  batch.erase(batch.begin() + 4, batch.end());
  ASSERT_NO_FATAL_FAILURE(check(batch, real(7.1), 1));  // each is its own neighbour
}

// More teams than a block of row_sums has.
TYPED_TEST(lockstep_small_systems, many_systems) {
  ASSERT_NO_FATAL_FAILURE(check(oracle::random_batch<TypeParam>(5, 150, 6), TypeParam(1.5), 1));
}

// Distances at the cutoff: single precision does not decide.
TYPED_TEST(lockstep_small_systems, lattices) {
  using real = TypeParam;
  for (real const scale : {real(1), real(0.1)}) {
    batch_of<real> batch;
    for (int const edge : {4, 5}) {
      oracle::points<real> x;
      for (int k = 0; k < edge * edge * edge; ++k)
        x.push_back({scale * real(k % edge), scale * real(k / edge % edge), scale * real(k / edge / edge)});
      std::shuffle(x.begin(), x.end(), std::mt19937(2));
      real const length = scale * real(edge);
      batch.push_back({upsweep::box<real>({0, 0, 0}, {length, length, length}, {true, true, true}), x});
    }
    for (real const cutoff : {real(1), real(2), real(0.999999)})
      for (bool const include : {true, false}) ASSERT_NO_FATAL_FAILURE(check(batch, cutoff * scale, 4, include));
  }
}

// Rows of more pairs than a warp notes together: all particles in one place.
TYPED_TEST(lockstep_small_systems, dense) {
  using real = TypeParam;
  oracle::cell_box<real> const box{{0, 0, 0}, {9, 8, 7}, {true, false, true}};
  batch_of<real> batch;
  batch.push_back({oracle::to_box(box), oracle::points<real>(128, {1, 2, 3})});
  batch.push_back({oracle::to_box(box), oracle::uniform_points(20, box, 3)});
  ASSERT_NO_FATAL_FAILURE(check(batch, real(1)));
}

// Floats do not hold the squares.
TEST(lockstep_small_systems_of_doubles, very_large_and_very_small) {
  if (!lists_are_of_cpus) GTEST_SKIP() << "real warps build these lists here";
  for (double const scale : {1e-30, 1e-22, 1e18, 1e30}) {
    oracle::cell_box<double> const box{{0, 0, 0}, {6 * scale, 6 * scale, 5 * scale}, {true, true, true}};
    batch_of<double> batch;
    batch.push_back({oracle::to_box(box), oracle::uniform_points(40, box, 5)});
    ASSERT_NO_FATAL_FAILURE(check(batch, 1.5 * scale));
  }
}

// A grid that was noted before is of the box alone; of an open direction it is found again.
TYPED_TEST(lockstep_small_systems, moved_particles) {
  using real = TypeParam;
  batch_of<real> batch;
  for (bool const open : {false, true}) {
    oracle::cell_box<real> const box{{0, 0, 0}, {9, 9, 9}, {true, true, !open}};
    batch.push_back({oracle::to_box(box), oracle::points<real>{{1, 1, 4}, {1, 1, 5}, {1, 2, 5}}});
  }
  batch_arrays<real> arrays(batch);
  machine<real> found(arrays, real(1.1));
  oracle::batch_rules rules;
  rules.options.pair_images = true;
  auto const build = [&] {
    auto const expected = rows_alone(arrays, real(1.1), rules);
    found.run({8, 8}, 1, expected.pairs);
    ASSERT_NO_FATAL_FAILURE(expect_rows(found, expected));
  };
  ASSERT_NO_FATAL_FAILURE(build());
  for (std::size_t const i : {std::size_t(0), std::size_t(3)}) {
    found.move(i, 2, real(0.5));
    arrays.x[i][2] = real(0.5);
    found.move(i + 1, 2, real(8.5));
    arrays.x[i + 1][2] = real(8.5);
  }
  ASSERT_NO_FATAL_FAILURE(build());
}

// The report says that others have to look; nothing is read or written where it is not.
TYPED_TEST(lockstep_small_systems, what_cannot_be_used) {
  using real = TypeParam;
  oracle::cell_box<real> const box{{0, 0, 0}, {9, 8, 7}, {true, false, true}};
  batch_of<real> batch;
  for (unsigned b = 0; b < 3; ++b) batch.push_back({oracle::to_box(box), oracle::uniform_points(20, box, b)});
  batch_arrays<real> const arrays(batch);
  auto const fails = [&](auto const& change, real cutoff = real(1)) {
    machine<real> found(arrays, cutoff);
    change(found);
    found.run({32, 40}, 1, 1000);
    return found.report.found.failed;
  };
  EXPECT_FALSE(fails([](auto&) {}));
  EXPECT_TRUE(fails([](auto& m) { m.move(25, 0, std::numeric_limits<real>::quiet_NaN()); }));
  EXPECT_TRUE(fails([](auto& m) { m.move(59, 1, 9); }));
  EXPECT_TRUE(fails([](auto& m) { m.move_offset(0, 1); }));
  EXPECT_TRUE(fails([](auto& m) { m.move_offset(1, 50); }));
  EXPECT_TRUE(fails([](auto& m) { m.move_offset(2, -3); }));
  EXPECT_TRUE(fails([](auto& m) { m.move_offset(3, 59); }));
  EXPECT_TRUE(fails([](auto& m) { m.move_offset(3, 1000); }));
  EXPECT_TRUE(fails([](auto&) {}, real(9000)));  // too many images
  EXPECT_TRUE(fails([](auto&) {}, real(130)));   // more than small images have
}

// An update that had no memory leaves nothing that a later one takes for known.
TEST(small_systems, are_found_again_where_there_was_no_memory) {
  using host = Kokkos::DefaultHostExecutionSpace;
  host const space;
  system_table<host, double> table;
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> const offsets("offsets", 3);
  offsets(1) = 50, offsets(2) = 100;
  std::vector<upsweep::box<double>> const boxes(2, upsweep::box<double>({0, 0, 0}, {9, 9, 9}));
  table.renew(space, 3, 2).copy(space, offsets, boxes);
  std::vector<double> const x(300, 1.0);
  one_set<double> const positions{x.data(), 3, 1};
  upsweep::workspace memory(space);
  auto const in_second = [&] {
    table.measure(space, positions, 100, 1.0, {}, {.workspace = &memory, .label = "test"});
    return std::count(table.of_particle(), table.of_particle() + 100, 1);
  };
  EXPECT_EQ(in_second(), 50);
  EXPECT_THROW(table.unmeasured(space, positions, std::int64_t(1) << 45, 1.0, true), upsweep::out_of_memory_error);
  Kokkos::View<int*, Kokkos::HostSpace> const others("others", 100);  // perhaps where they were
  EXPECT_EQ(in_second(), 50);
}

}  // namespace
