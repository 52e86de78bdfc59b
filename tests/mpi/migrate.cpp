// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "particles.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/migrate.hpp>

#include <algorithm>
#include <limits>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

TEST(migrate, wraps_and_conserves) {
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
  oracle::host_copy const counts(crossings);
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

TEST(migrate, upper_border_is_the_lower_one) {
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

TEST(migrate, bad_positions_on_all_ranks) {
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

// Counts go to the ends of int and not beyond, in boxes of all shapes.
TEST(migrate, counts_that_an_int_does_not_hold_on_all_ranks) {
  auto const& comm = world();
  using box_type = upsweep::box<double>;
  constexpr int most = std::numeric_limits<int>::max(), least = std::numeric_limits<int>::min();
  int const culprit = comm.size() - 1;
  struct change {
    double moved;
    int before, after;
  };
  for (auto const& box : {box_type({0, 0, 0}, {10, 10, 10}), box_type::triclinic({0, 0, 0}, {10, 10, 10}, {.xy = 3}),
                          box_type::of_edges({10, 0, 0}, {3, 10, 0}, {0, -1, 10})}) {
    mpi::domain<double> const parts(comm, box);
    for (auto const& [moved, before, after] : std::vector<change>{{0, most, most},
                                                                  {0, least, least},
                                                                  {10, most - 1, most},
                                                                  {-10, least + 1, least},
                                                                  {-10, most, most - 1},
                                                                  {3e9, 900000000, 1200000000},
                                                                  {10, most, 0},
                                                                  {-10, least, 0},
                                                                  {3e9, 1900000000, 0}}) {
      std::size_t const n = 20;
      std::vector<point> points(n, point{{5, 5, 5}});
      Kokkos::View<int* [3], memory_space> crossings("crossings", n);
      oracle::host_copy const counts(crossings);
      if (comm.rank() == culprit) {
        points[13].x[0] += moved;
        counts(13, 0) = before;
        counts(13, 2) = 5;
      }
      counts.write();
      auto positions = to_positions(points);
      auto const run = [&] { mpi::migrate_and_count(comm, space_type(), parts, positions, crossings); };
      if (after != 0) {
        run();
        oracle::host_copy const now(crossings);
        int found = 0;
        for (std::size_t i = 0; i < now.extent(0); ++i)
          if (now(i, 2) == 5 && now(i, 0) == after) ++found;
        MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_SUM, comm.get());
        EXPECT_EQ(found, 1) << moved << " from " << before;
        continue;
      }
      auto const text = message_of<upsweep::overflow_error>(run);
      EXPECT_EQ(text.rfind("rank " + std::to_string(culprit) + ": mpi::migrate_and_count: particle 13 at (", 0), 0u)
          << text;
      auto const would = static_cast<long long>(before) + static_cast<long long>(moved / 10);
      EXPECT_NE(text.find("would have " + std::to_string(would) + " crossings in direction " + box.direction_name(0)),
                std::string::npos)
          << text;
      // Nothing was written or moved.
      EXPECT_EQ(positions.extent(0), n);
      EXPECT_EQ(to_points(positions)[13].x[0], points[13].x[0]);
    }
  }
  Kokkos::View<int**, memory_space> narrow("crossings", 1, 2);
  auto positions = to_positions(std::vector<point>(1));
  mpi::domain<double> const parts(comm, box_type({0, 0, 0}, {10, 10, 10}));
  EXPECT_NE(message_of<upsweep::precondition_error>([&] {
              mpi::migrate_and_count(comm, space_type(), parts, positions, narrow);
            }).find("crossings has 2 columns"),
            std::string::npos);
  view<int> numbers("numbers", 2);
  EXPECT_EQ(
      message_of<upsweep::precondition_error>([&] { mpi::migrate(comm, space_type(), parts, positions, numbers); }),
      "rank 0: mpi::migrate: view 0 (numbers) has 2 rows, positions has 1");
}

// Ranks disagree on what travels, which is found out after positions have been looked at.
TEST(migrate, failure_leaves_positions_and_counts_as_they_were) {
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
  oracle::host_copy const counts(crossings);
  for (auto const& p : to_points(positions)) {
    EXPECT_EQ(p.x[0], -31);
    EXPECT_EQ(p.x[1], 12);
  }
  for (std::size_t i = 0; i < 5; ++i)
    for (int d = 0; d < 3; ++d) EXPECT_EQ(counts(i, d), 0);
}
