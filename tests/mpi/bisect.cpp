// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "particles.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/bisect.hpp>
#include <upsweep/mpi/migrate.hpp>

#include <cmath>
#include <limits>
#include <numeric>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

/// Particles that are dense at one corner, all different.
particle_set uneven_set() {
  auto set = random_set({true, false, true}, 5);
  for (auto& p : set.points)
    for (int d = 0; d < 3; ++d) {
      double const share = (p.x[d] - set.box.lo(d)) / set.box.length(d);
      p.x[d] = set.box.lo(d) + share * share * share * set.box.length(d);
    }
  return set;
}

/// Every so manyth particle, or those of one rank alone.
std::vector<std::int64_t> share_of(particle_set const& set, int rank, int only = -1) {
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < set.points.size(); ++i)
    if (only < 0 ? static_cast<int>(i % static_cast<std::size_t>(world().size())) == rank : rank == only)
      ids.push_back(static_cast<std::int64_t>(i));
  return ids;
}
positions_view share(particle_set const& set, int only = -1) {
  return to_positions(points_of(set, share_of(set, world().rank(), only)));
}

template <class Weight>
std::vector<double> weights_of_bricks(particle_set const& set, mpi::domain<double> const& parts, Weight const& weight) {
  std::vector<double> sums(static_cast<std::size_t>(world().size()));
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    auto const& x = set.points[i].x;
    int const owner = parts.owner(x[0], x[1], x[2]);
    auto const b = parts.brick(owner);
    for (int d = 0; d < 3; ++d) EXPECT_TRUE(x[d] >= b.lo[d] && x[d] < b.hi[d]);
    sums[static_cast<std::size_t>(owner)] += weight(i);
  }
  return sums;
}

/// Each cut is off by half of the heaviest particle at most, and there are as many as levels.
void expect_balance(std::vector<double> const& sums, double heaviest) {
  double const mean = std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(sums.size());
  for (double const s : sums) EXPECT_NEAR(s, mean, 2 * heaviest);
}

bool same_cuts(mpi::domain<double> const& a, mpi::domain<double> const& b) {
  auto const x = a.cuts(), y = b.cuts();
  return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), [](auto const& l, auto const& r) {
           return l.at == r.at && l.direction == r.direction;
         });
}

double volume(mpi::brick<double> const& b) {
  double v = 1;
  for (int d = 0; d < 3; ++d) v *= b.hi[d] - b.lo[d];
  return v;
}

}  // namespace

TEST(bisection, equal_numbers) {
  auto const set = uneven_set();
  auto const parts = mpi::bisect(world(), space_type(), set.box, share(set));
  EXPECT_EQ(parts.size(), world().size());
  EXPECT_EQ(parts.is_bisected(), world().size() > 1);
  EXPECT_EQ(parts.cuts().size() + 1, static_cast<std::size_t>(world().size()));
  expect_balance(weights_of_bricks(set, parts, [](std::size_t) { return 1.0; }), 1);
  double sum = 0;
  for (auto const& b : parts.bricks()) sum += volume(b);
  EXPECT_NEAR(sum, set.box.volume(), 1e-12 * set.box.volume());
}

// The cuts are the same where one rank has all particles, and where positions are some boxes away.
TEST(bisection, same_cuts_from_any_ranks) {
  auto const set = uneven_set();
  auto const parts = mpi::bisect(world(), space_type(), set.box, share(set));
  EXPECT_TRUE(same_cuts(parts, mpi::bisect(world(), space_type(), set.box, share(set, world().size() - 1))));
  auto const all = gathered(world(), parts.cuts());
  for (std::size_t k = 0; k < all.size(); ++k)
    EXPECT_EQ(all[k].at, parts.cuts()[k % static_cast<std::size_t>(world().size() - 1)].at);
  // On a lattice sums with a box length are exact.
  auto lattice = lattice_set({true, true, true});
  auto const first = mpi::bisect(world(), space_type(), lattice.box, share(lattice));
  for (auto& p : lattice.points) p.x[2] -= 24;
  EXPECT_TRUE(same_cuts(first, mpi::bisect(world(), space_type(), lattice.box, share(lattice))));
}

TEST(bisection, equal_weights) {
  auto const set = uneven_set();
  auto const weight = [](std::size_t i) { return i % 5 == 0 ? 10.0 : 1.0; };
  auto const check = [&]<class T>(T) {
    std::vector<T> mine;
    for (auto const i : share_of(set, world().rank()))
      mine.push_back(static_cast<T>(weight(static_cast<std::size_t>(i))));
    auto const parts = mpi::bisect(world(), space_type(), set.box, share(set), to_view(mine));
    expect_balance(weights_of_bricks(set, parts, weight), 10);
  };
  check(std::uint64_t());
  check(int());
}

// A rank that took three times as long as the others: its particles weigh as much more.
TEST(bisection, equal_times) {
  auto const set = uneven_set();
  auto const size = static_cast<std::size_t>(world().size());
  auto const parts = mpi::bisect_by_time(world(), space_type(), set.box, share(set), world().rank() == 0 ? 0.75 : 0.25);
  expect_balance(weights_of_bricks(set, parts, [&](std::size_t i) { return i % size == 0 ? 3.0 : 1.0; }), 3);
  EXPECT_TRUE(same_cuts(mpi::bisect_by_time(world(), space_type(), set.box, share(set), 0.0),
                        mpi::bisect(world(), space_type(), set.box, share(set))));
}

TEST(bisection, nothing_and_one_place) {
  upsweep::box<double> const box({0, 0, 0}, {8, 4, 4});
  auto const empty = mpi::bisect(world(), space_type(), box, to_positions({}));
  auto const bricks = empty.bricks();
  for (auto const& b : bricks) EXPECT_NEAR(volume(b), 128.0 / world().size(), 1e-9);
  for (double const at : {0.0, 3.0, std::nextafter(8.0, 0.0)}) {
    particle_set const set{"one place", box, std::vector<point>(10, {{at, 1, 1}})};
    auto const parts = mpi::bisect(world(), space_type(), box, share(set));
    auto const sums = weights_of_bricks(set, parts, [](std::size_t) { return 1.0; });
    EXPECT_EQ(*std::max_element(sums.begin(), sums.end()), 10);
  }
}

// A side of one rounding, between whose borders there is no number, is not cut, however long it is.
TEST(bisection, sides_of_one_rounding) {
  double const far = 0x1p53;
  upsweep::box<double> const box({far, 0, 0}, {far + 2, 1, 0.5});
  particle_set const set{"flat", box, {{{far, 0.25, 0.25}}, {{far, 0.75, 0.25}}}};
  auto const parts = mpi::bisect(world(), space_type(), box, share(set));
  for (auto const& b : parts.bricks()) EXPECT_EQ(b.hi[0] - b.lo[0], 2);
  weights_of_bricks(set, parts, [](std::size_t) { return 1.0; });
  // Of two numbers and three ranks one has no brick.
  upsweep::box<double> const narrow({far, far, far}, {far + 4, far + 2, far + 2});
  auto const cut = [&] { mpi::bisect(world(), space_type(), narrow, to_positions({})); };
  if (world().size() < 3) {
    EXPECT_NO_THROW(cut());
  } else {
    EXPECT_THROW(cut(), upsweep::precondition_error);
  }
}

TEST(bisection, migration_follows_it) {
  auto const set = uneven_set();
  auto positions = share(set);
  auto const parts = mpi::bisect(world(), space_type(), set.box, positions);
  auto ids = to_view(share_of(set, world().rank()));
  mpi::migrate(world(), space_type(), parts, positions, ids);
  auto got = to_vector(ids);
  std::sort(got.begin(), got.end());
  EXPECT_EQ(got, owned_ids(set, parts, world().rank()));
}

TEST(bisection, domain_of_cuts) {
  auto const set = uneven_set();
  auto const parts = mpi::bisect(world(), space_type(), set.box, share(set));
  auto cuts = parts.cuts();
  if (world().size() > 1) {
    mpi::domain<double> const again(world(), set.box, cuts);
    EXPECT_TRUE(same_cuts(parts, again));
    cuts[0].at = set.box.hi(0) + 100;
    EXPECT_THROW(mpi::domain<double>(world(), set.box, cuts), upsweep::precondition_error);
    cuts = parts.cuts();
    cuts[0].direction = 3;
    EXPECT_THROW(mpi::domain<double>(world(), set.box, cuts), upsweep::precondition_error);
    cuts = parts.cuts();
    if (world().rank() == 0) cuts[0].at += 1e-9;
    EXPECT_THROW(mpi::domain<double>(world(), set.box, cuts), upsweep::precondition_error);
  }
  cuts = parts.cuts();
  cuts.resize(static_cast<std::size_t>(world().size()), {1, 0});
  auto const text =
      message_of<upsweep::precondition_error>([&] { mpi::domain<double> const bad(world(), set.box, cuts); });
  std::string const size = std::to_string(world().size());
  EXPECT_EQ(text, "rank 0: mpi::domain: there are " + size + " cuts for " + size + " ranks");
}

TEST(bisection, errors_on_all_ranks) {
  auto const set = uneven_set();
  int const culprit = world().size() - 1;
  auto const positions = share(set);
  std::vector<int> weights(positions.extent(0), 1);
  if (world().rank() == culprit) weights[2] = -1;
  auto const negative = message_of<upsweep::precondition_error>(
      [&] { mpi::bisect(world(), space_type(), set.box, positions, to_view(weights)); });
  EXPECT_EQ(negative, "rank " + std::to_string(culprit) + ": mpi::bisect: weight 2 is negative");
  view<int> const few("few", 1);
  EXPECT_THROW(mpi::bisect(world(), space_type(), set.box, positions, few), upsweep::precondition_error);
  std::vector<std::uint64_t> const heavy(positions.extent(0), std::numeric_limits<std::uint64_t>::max() / 4);
  EXPECT_THROW(mpi::bisect(world(), space_type(), set.box, positions, to_view(heavy)), upsweep::overflow_error);
  std::vector<point> astray{{{0, 3, 1}}};
  if (world().rank() == culprit) astray.push_back({{1, std::nan(""), 1}});
  auto const lost = message_of<upsweep::precondition_error>(
      [&] { mpi::bisect(world(), space_type(), set.box, to_positions(astray)); });
  EXPECT_EQ(lost.rfind("rank " + std::to_string(culprit) + ": mpi::bisect: particle 1 at (1, nan, 1)", 0), 0u) << lost;
  EXPECT_THROW(mpi::bisect_by_time(world(), space_type(), set.box, positions, world().rank() == culprit ? -1.0 : 1.0),
               upsweep::precondition_error);
}
