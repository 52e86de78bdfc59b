// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "particles.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/migrate.hpp>

#include <algorithm>
#include <limits>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

TEST(Migrate, WrapsAndConserves) {
  auto const& comm = world();
  auto const set = random_set({true, true, true}, 11);
  mpi::domain<double> const parts(comm, set.box);
  // Every rank has every size()-th particle, some of them several boxes away.
  std::vector<std::int64_t> ids;
  std::vector<point> points;
  for (std::size_t i = static_cast<std::size_t>(comm.rank()); i < set.points.size();
       i += static_cast<std::size_t>(comm.size())) {
    ids.push_back(static_cast<std::int64_t>(i));
    auto p = set.points[i];
    for (int d = 0; d < 3; ++d) p.x[d] += static_cast<double>(static_cast<int>(i % 7) - 3) * set.box.length(d);
    points.push_back(p);
  }
  auto positions = to_positions(points);
  auto unwrapped = to_positions(points);
  auto device_ids = to_view(ids);
  Kokkos::View<int* [3], memory_space> crossings("crossings", points.size());
  mpi::migrate_and_count(comm, space_type(), parts, positions, crossings, device_ids, unwrapped);

  auto const got = to_points(positions);
  auto const were = to_points(unwrapped);
  auto const got_ids = to_vector(device_ids);
  auto const counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, crossings);
  for (std::size_t i = 0; i < got.size(); ++i) {
    auto const& x = got[i].x;
    EXPECT_EQ(parts.owner(x[0], x[1], x[2]), comm.rank());
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(x[d], set.box.wrap(were[i].x[d], d));
      EXPECT_NEAR(x[d] + counts(i, d) * set.box.length(d), were[i].x[d], 1e-12);
      EXPECT_EQ(counts(i, d), static_cast<int>(got_ids[i] % 7) - 3);
    }
  }
  auto all = gathered(comm, got_ids);
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), set.points.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<std::int64_t>(i));

  // Everybody is at home now: a second time nothing moves.
  mpi::migrate(comm, space_type(), parts, positions, device_ids);
  EXPECT_EQ(to_vector(device_ids), got_ids);
}

TEST(Migrate, UpperBorderIsTheLowerOne) {
  auto const& comm = world();
  upsweep::box<double> const box({0, 0, 0}, {10, 10, 10});
  mpi::domain<double> const parts(comm, box, {comm.size(), 1, 1});
  auto positions = to_positions(comm.rank() == 0 ? std::vector<point>{{{10, 10, -1e-30}}} : std::vector<point>{});
  mpi::migrate(comm, space_type(), parts, positions);
  auto const got = to_points(positions);
  ASSERT_EQ(got.size(), comm.rank() == 0 ? 1u : 0u);
  for (auto const& p : got)
    for (double const x : p.x) EXPECT_EQ(x, 0.0);
}

TEST(Migrate, BadPositionsOnAllRanks) {
  auto const& comm = world();
  upsweep::box<double> const box({0, 0, 0}, {10, 10, 10}, {true, false, true});
  mpi::domain<double> const parts(comm, box);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const inf = std::numeric_limits<double>::infinity();
  int const culprit = comm.size() - 1;
  std::string const outside = "is outside of the box in the open direction y";
  std::string const far = "is more than 1073741824 edges away";
  for (auto const& [bad, reason] : std::vector<std::pair<point, std::string>>{{{{nan, 1, 1}}, "is not finite"},
                                                                              {{{1, 1, -inf}}, "is not finite"},
                                                                              {{{1, 10, 1}}, "is on the upper border"},
                                                                              {{{1, 11, 1}}, outside},
                                                                              {{{1, -1e-9, 1}}, outside},
                                                                              {{{1e300, 1, 1}}, far},
                                                                              {{{1, 1, -1e11}}, far}}) {
    std::vector<point> points(20, point{{11, 1, 1}});
    if (comm.rank() == culprit) points[13] = bad;
    auto positions = to_positions(points);
    auto const text =
        message_of<upsweep::precondition_error>([&] { mpi::migrate(comm, space_type(), parts, positions); });
    EXPECT_EQ(text.rfind("rank " + std::to_string(culprit) + ": mpi::migrate: particle 13 at (", 0), 0u) << text;
    EXPECT_NE(text.find(reason), std::string::npos) << text;
    Kokkos::View<int* [3], memory_space> crossings("crossings", 20);
    auto const of_counts = message_of<upsweep::precondition_error>(
        [&] { mpi::migrate_and_count(comm, space_type(), parts, positions, crossings); });
    EXPECT_EQ(of_counts.rfind("rank " + std::to_string(culprit) + ": mpi::migrate_and_count: particle 13 at (", 0), 0u)
        << of_counts;
    // Nothing was written or moved.
    EXPECT_EQ(to_points(positions)[0].x[0], 11.0);
    EXPECT_EQ(positions.extent(0), 20u);
  }
}

// Ranks disagree on what travels, which is found out after positions have been looked at.
TEST(Migrate, FailureLeavesPositionsAndCountsAsTheyWere) {
  auto const& comm = world();
  if (comm.size() == 1) return;
  upsweep::box<double> const box({0, 0, 0}, {10, 10, 10});
  mpi::domain<double> const parts(comm, box);
  auto positions = to_positions(std::vector<point>(5, point{{-31, 12, 5}}));
  Kokkos::View<int* [3], memory_space> crossings("crossings", 5);
  view<int> numbers("numbers", 5);
  view<double> others("others", 5);
  auto const before = positions.data();
  EXPECT_THROW(
      {
        if (comm.rank() == 0) mpi::migrate_and_count(comm, space_type(), parts, positions, crossings, numbers);
        else mpi::migrate_and_count(comm, space_type(), parts, positions, crossings, others);
      },
      upsweep::precondition_error);
  EXPECT_EQ(positions.data(), before);
  auto const counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, crossings);
  for (auto const& p : to_points(positions)) {
    EXPECT_EQ(p.x[0], -31);
    EXPECT_EQ(p.x[1], 12);
  }
  for (std::size_t i = 0; i < 5; ++i)
    for (int d = 0; d < 3; ++d) EXPECT_EQ(counts(i, d), 0);
}
