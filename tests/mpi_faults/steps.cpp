// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "campaign.hpp"

#include "../mpi/moving_rows.hpp"
#include "../mpi/particles.hpp"

#include <upsweep/mpi/domain.hpp>
#include <upsweep/mpi/migration.hpp>
#include <upsweep/mpi/redistribution.hpp>

#include <memory>
#include <optional>
#include <utility>

// Objects that keep their memory: what later calls do.

using namespace testing_mpi;
using namespace testing_faults;
namespace mpi = upsweep::mpi;

namespace {

mpi::communicator const& staged() {
  static mpi::communicator const comm = staged_communicator();
  return comm;
}

constexpr int elements = 200;

/// Every `every`-th row of a rank leaves for the next one.
std::vector<int> destinations(std::size_t rows, std::size_t every) {
  std::vector<int> to;
  for (std::size_t i = 0; i < rows; ++i) to.push_back((world().rank() + (i % every == 0 ? 1 : 0)) % world().size());
  return to;
}
/// The rows of all ranks, as they are on every rank.
using all_ids = std::vector<std::vector<std::int64_t>>;
all_ids initial_ids() {
  all_ids ids(static_cast<std::size_t>(world().size()));
  for (std::size_t r = 0; r < ids.size(); ++r)
    for (int i = 0; i < elements; ++i) ids[r].push_back(static_cast<std::int64_t>(1000 * r) + i);
  return ids;
}
/// By source rank, then in the source's order.
all_ids moved(all_ids const& ids, std::size_t every) {
  all_ids result(ids.size());
  for (std::size_t r = 0; r < ids.size(); ++r)
    for (std::size_t i = 0; i < ids[r].size(); ++i)
      result[(r + (i % every == 0 ? 1 : 0)) % ids.size()].push_back(ids[r][i]);
  return result;
}
std::vector<std::int64_t> const& own(all_ids const& ids) { return ids[static_cast<std::size_t>(world().rank())]; }

/// A call of an object that has had `warm` calls in which few rows left.
struct later_call {
  space_type space{};
  mpi::communicator const* comm = nullptr;
  std::unique_ptr<mpi::redistribution<space_type>> object = std::make_unique<mpi::redistribution<space_type>>();
  mixed_rows rows{own(initial_ids())};
  view<int> to;
  all_ids before = initial_ids(), after;

  later_call(mpi::communicator const& c, int warm, std::size_t every) : comm(&c) {
    for (int k = 0; k < warm; ++k) {
      object->run(*comm, space, to_view(destinations(own(before).size(), 50)), rows.ids, rows.columns, rows.positions);
      before = moved(before, 50);
    }
    to = to_view(destinations(own(before).size(), every));
    after = moved(before, every);
  }
  void run() {
    auto const* const ids = rows.ids.data();
    auto const* const columns = rows.columns.data();
    try {
      object->run(*comm, space, to, rows.ids, rows.columns, rows.positions);
    } catch (...) {
      EXPECT_TRUE(rows.ids.data() == ids && rows.columns.data() == columns);
      EXPECT_EQ(to_vector(rows.ids), own(before));
      throw;
    }
  }
  void check() const {
    ASSERT_EQ(to_vector(rows.ids), own(after));
    auto const points = to_points(rows.positions);
    for (std::size_t i = 0; i < points.size(); ++i)
      EXPECT_EQ(points[i].x[2], static_cast<double>(3 * own(after)[i] + 2));
  }
};

void expect_no_heap(mpi::communicator const& comm) {
  space_type const space;
  mpi::redistribution<space_type> object;
  mixed_rows rows(own(initial_ids()));
  for (int step = 0; step < 8; ++step) {
    auto const to = to_view(destinations(rows.ids.extent(0), 50));
    failing_memory::watch();
    object.run(comm, space, to, rows.ids, rows.columns, rows.shorts, rows.positions);
    auto const seen = failing_memory::watched();
    rows.marks = view<char>("marks", rows.ids.extent(0));
    rows.pairs = mixed_rows::by_rows("pairs", rows.ids.extent(0), 2);
    EXPECT_TRUE(step < 3 || seen == 0) << seen << " allocations in step " << step;
    EXPECT_TRUE(step > 0 || seen > 0) << "the first step takes memory";
  }
}

void expect_no_heap_in_migration(mpi::communicator const& comm) {
  space_type const space;
  auto const set = random_set({true, true, true}, 3);
  mpi::domain<double> const parts(comm, set.box);
  auto const owned = owned_ids(set, parts, comm.rank());
  auto positions = to_positions(points_of(set, owned));
  auto ids = to_view(owned);
  mpi::migration<space_type> m;
  for (int step = 0; step < 8; ++step) {
    oracle::host_copy const host(positions);
    for (std::size_t i = 0; i < host.extent(0); ++i) host(i, 0) += 0.2;
    host.write();
    failing_memory::watch();
    m.run(comm, space, parts, positions, ids);
    auto const seen = failing_memory::watched();
    EXPECT_TRUE(step < 3 || seen == 0) << seen << " allocations in step " << step;
  }
}

}  // namespace

TEST(allocation_failures, later_calls_agree) {
  for (auto const* const comm : {&world(), &staged()}) {
    // All rows leave, for which there is no room yet; and few, as before.
    fail_each_allocation("redistribution::run that grows", 1, [&] { return later_call(*comm, 1, 1); });
    fail_each_allocation("redistribution::run in a steady step", 1, [&] { return later_call(*comm, 4, 50); });
  }
}

TEST(steady_steps, take_nothing_from_the_heap) {
  expect_no_heap(world());
  expect_no_heap(staged());
}
TEST(steady_steps, of_migration_take_nothing_from_the_heap) {
  expect_no_heap_in_migration(world());
  expect_no_heap_in_migration(staged());
}
