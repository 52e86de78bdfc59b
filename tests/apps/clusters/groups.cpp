// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Friends of friends and DBSCAN against serial ones, label by label, and what is said of groups, on any number of
// ranks.

#include "../../../apps/clusters/friends.hpp"
#include "../../../apps/clusters/groups.hpp"
#include "../../../apps/support/groups/dbscan.hpp"
#include "../../neighbors/boxes.hpp"
#include "../../oracle/message_of.hpp"
#include "boxes.hpp"
#include "expect_centre.hpp"
#include "serial.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

using clusters::space_type;
using oracle::cluster_problem;

/// All ranks together have as many groups and noise as expected; this rank's groups, which follow those of lower ones,
/// are as expected.
void expect_table(upsweep::mpi::communicator const& comm, clusters::group_table const& table,
                  oracle::serial_groups const& labels, std::vector<oracle::serial_group> const& expected,
                  cluster_problem const& p) {
  auto const place = upsweep::mpi::exclusive_offset(comm, table.groups());
  auto const noise = upsweep::mpi::exclusive_offset(comm, table.noise_number.size());
  ASSERT_EQ(place.total, expected.size());
  EXPECT_EQ(noise.total, static_cast<std::size_t>(std::count(labels.label.begin(), labels.label.end(), -1)));
  for (std::size_t g = 0; g < table.groups(); ++g) {
    SCOPED_TRACE("group " + std::to_string(table.label[g]));
    auto const& e = expected[place.offset + g];
    ASSERT_EQ(table.size[g], static_cast<std::int64_t>(e.members.size()));
    ASSERT_EQ(table.label[g], 10 + 3 * labels.label[static_cast<std::size_t>(e.members[0])]);
    for (std::size_t k = 0; k < e.members.size(); ++k) {
      ASSERT_EQ(table.number[static_cast<std::size_t>(table.offset[g]) + k], e.members[k]);
      ASSERT_EQ(table.members[static_cast<std::size_t>(table.offset[g]) + k], 10 + 3 * e.members[k]);
    }
    ASSERT_EQ(table.spans[g] != 0, e.spans);
    ASSERT_NO_FATAL_FAILURE(oracle::expect_centre(&table.centre[3 * g], e, p));
  }
}

std::vector<oracle::serial_group> expect_friends(upsweep::mpi::communicator const& comm, cluster_problem const& p,
                                                 int* rounds = nullptr) {
  space_type const space;
  apps::phase_times times;
  auto const rows = oracle::brute_force(p.x, p.box, p.length);
  auto const expected = oracle::friends(rows);
  auto const groups = oracle::follow_links(expected, rows, oracle::wrapped_by_library(p.box, p.x), p.box);
  auto points = oracle::share_of(comm, space, p);
  auto const found = clusters::label_friends(comm, space, points, p.length, times);
  auto const labels = upsweep::to_host(space, found.label), numbers = upsweep::to_host(space, points.number);
  for (std::size_t i = 0; i < labels.size(); ++i)
    EXPECT_EQ(labels[i], expected.label[static_cast<std::size_t>(numbers[i])]) << "point " << numbers[i];
  if (rounds != nullptr) *rounds = found.rounds;
  auto const table = clusters::find_groups(comm, space, points, found.label, {}, p.length, times);
  expect_table(comm, table, expected, groups, p);
  return groups;
}

void expect_friends_of_seeds(unsigned first, unsigned count) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  std::size_t spanning = 0, several = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (auto const& group : expect_friends(comm, oracle::random_problem(seed))) {
      spanning += group.spans ? 1 : 0;
      several += !group.spans && group.members.size() > 1 ? 1 : 0;
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(spanning, count / 10);
  EXPECT_GT(several, count);
}

TEST(clusters, friends_in_random_boxes) { expect_friends_of_seeds(1, 24); }
TEST(long_clusters, friends_in_random_boxes) { expect_friends_of_seeds(100, 200); }

/// A path that goes through the box along x, back, and so on, lines * lines times, with shuffled numbers. The box
/// is cut across x first.
cluster_problem winding_chain(int lines, bool periodic) {
  double const edge = 2.0 * lines;
  cluster_problem p{{{0, 0, 0}, {28, edge, edge}, {periodic, periodic, periodic}}, {}, 1.02};
  for (int line = 0; line < lines * lines; ++line) {
    int const z = line / lines, y = z % 2 == 0 ? line % lines : lines - 1 - line % lines;
    for (int x = 1; x < 28; ++x) p.x.push_back({line % 2 == 0 ? x + 0.0 : 28.0 - x, 2.0 * y + 1, 2.0 * z + 1});
    // Half of the way to the next line.
    auto between = p.x.back();
    if ((line + 1) % lines == 0) between[2] += 1;
    else between[1] += z % 2 == 0 ? 1 : -1;
    if (line + 1 < lines * lines) p.x.push_back(between);
  }
  std::shuffle(p.x.begin(), p.x.end(), std::mt19937(5));
  return p;
}

/// Labels travel along chains of any number of sets in a few rounds.
TEST(clusters, a_chain_through_every_brick) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  for (auto const& [lines, periodic] : {std::pair(4, true), {5, false}, {10, false}}) {
    SCOPED_TRACE(std::to_string(lines * lines) + " lines");
    int rounds = 0;
    auto const groups = expect_friends(comm, winding_chain(lines, periodic), &rounds);
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_FALSE(groups[0].spans);
    // With labels from neighbours alone 100 lines take 68 rounds on 2 ranks, 135 on 3 and 76 on 8.
    EXPECT_LE(rounds, 12);
  }
}

/// A line around the box closes, and one that lacks a point does not.
TEST(clusters, groups_that_span_the_box) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  for (int const points : {20, 19}) {
    cluster_problem p{{{0, 0, 0}, {10, 10, 10}, {true, true, true}}, {}, 0.6};
    for (int k = 0; k < points; ++k) p.x.push_back({0.5 * ((k + 7) % 20), 3, 4});
    auto const groups = expect_friends(comm, p);
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups[0].spans, points == 20);
  }
  // One point that is its own friend.
  EXPECT_TRUE(expect_friends(comm, {{{0, 0, 0}, {1, 5, 5}, {true, false, false}}, {{0.25, 1, 1}}, 1.0})[0].spans);
}

TEST(clusters, pairs_at_the_length_are_linked) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  cluster_problem const p{{{0, 0, 0}, {8, 8, 8}, {true, true, true}}, {{1, 1, 1}, {2, 1, 1}, {5, 5, 5}}, 1.0};
  EXPECT_EQ(expect_friends(comm, p).size(), 2u);
}

/// DBSCAN is for one rank: here each rank computes alone.
void expect_dbscan(cluster_problem const& p, oracle::neighbor_rows const& rows, std::size_t min_points) {
  upsweep::mpi::communicator const comm(MPI_COMM_SELF);
  space_type const space;
  apps::phase_times times;
  auto const expected = oracle::dbscan(rows, min_points);
  auto const points = oracle::share_of(comm, space, p);
  auto const found = clusters::label_dbscan(space, points, p.length, static_cast<std::int64_t>(min_points), times);
  EXPECT_EQ(upsweep::to_host(space, found.label), expected.label);
  auto const core = upsweep::to_host(space, found.core);
  for (std::size_t i = 0; i < core.size(); ++i) EXPECT_EQ(core[i] != 0, expected.core[i]) << "point " << i;
  auto const table = clusters::find_groups(comm, space, points, found.label, found.core, p.length, times);
  auto const groups = oracle::follow_links(expected, rows, oracle::wrapped_by_library(p.box, p.x), p.box);
  expect_table(comm, table, expected, groups, p);
}

TEST(clusters, dbscan_in_random_boxes) {
  for (unsigned seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto p = oracle::random_problem(seed);
    p.length = std::min(p.length, 0.4);
    for (auto& tilt : p.box.tilt) tilt = 0;
    p.x = oracle::uniform_points(p.x.size(), p.box, seed);
    for (std::size_t i = 0; i < p.x.size(); ++i)
      if (i % 10 != 0)
        for (std::size_t d = 0; d < 3; ++d) p.x[i][d] = p.box.lo[d] + 0.3 * (p.x[i][d] - p.box.lo[d]);
    auto const rows = oracle::brute_force(p.x, p.box, p.length);
    for (std::size_t const least : {1, 2, 4, 6}) {
      SCOPED_TRACE("cores of " + std::to_string(least));
      expect_dbscan(p, rows, least);
      if (HasFailure()) return;
    }
  }
}

/// Both groups begin with a point that is no core, and the one with the smaller first member has the larger label.
TEST(clusters, dbscan_names_groups_by_their_first_cores) {
  cluster_problem const p{
      {{0, -1, -1}, {6, 1, 1}, {false, false, false}},
      {{0.95, 0, 0}, {5, 0, 0}, {5.1, 0, 0}, {5.2, 0, 0}, {1.9, 0, 0}, {2, 0, 0}, {2, 0.1, 0}, {4.1, 0, 0}},
      1.0};
  auto const rows = oracle::brute_force(p.x, p.box, p.length);
  EXPECT_EQ(oracle::dbscan(rows, 3).label, (std::vector<std::int64_t>{4, 1, 1, 1, 4, 4, 4, 1}));
  expect_dbscan(p, rows, 3);
}

TEST(clusters, dbscan_refuses_boxes_in_which_points_count_twice) {
  upsweep::mpi::communicator const comm(MPI_COMM_SELF);
  space_type const space;
  apps::phase_times times;
  cluster_problem const p{{{0, 0, 0}, {8, 2, 8}, {true, true, true}}, {{1, 1, 1}}, 1.0};
  auto const message =
      oracle::message_of([&] { clusters::label_dbscan(space, oracle::share_of(comm, space, p), 1.0, 2, times); });
  EXPECT_NE(message.find("high in direction y; it must be higher than twice the length"), std::string::npos) << message;
}

}  // namespace
