// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "moving_rows.hpp"
#include "particles.hpp"

#include "../contracts/tools.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/migrate.hpp>
#include <upsweep/mpi/migration.hpp>

#include <limits>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

using crossings_view = Kokkos::View<int* [3], memory_space>;

struct particles {
  positions_view positions;
  crossings_view crossings;
  view<std::int64_t> ids;

  particles(particle_set const& set, std::vector<std::int64_t> const& owned)
      : positions(to_positions(points_of(set, owned))), crossings("crossings", owned.size()), ids(to_view(owned)) {}

  /// Every particle drifts its own way, across a border from time to time.
  void drift(std::uint64_t step) const {
    oracle::host_copy const host(positions);
    auto const names = to_vector(ids);
    for (std::size_t i = 0; i < names.size(); ++i) {
      random_numbers random{static_cast<std::uint64_t>(names[i]) + 1000 * step};
      for (int d = 0; d < 3; ++d) host(i, d) += random.uniform() - 0.5;
    }
    host.write();
  }
};

bool same(positions_view const& a, positions_view const& b) {
  auto const x = to_points(a), y = to_points(b);
  if (x.size() != y.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int d = 0; d < 3; ++d)
      if (x[i].x[d] != y[i].x[d]) return false;
  return true;
}

void steps(mpi::communicator const& comm) {
  auto const set = random_set({true, true, true}, 5);
  mpi::domain<double> const parts(comm, set.box);
  auto const owned = owned_ids(set, parts, comm.rank());
  particles kept(set, owned), once(set, owned);
  mpi::migration<space_type> m;
  for (std::uint64_t step = 0; step < 12; ++step) {
    kept.drift(step);
    once.drift(step);
    {
      // The first calls take memory; so does one that meets more particles than any before.
      contracts::recorder const seen;
      m.run_and_count(comm, space_type(), parts, kept.positions, kept.crossings, kept.ids);
    }
    EXPECT_TRUE(step < 2 || contracts::recorder::allocations().empty())
        << "step " << step << ": " << contracts::recorder::allocations().front();
    mpi::migrate_and_count(comm, space_type(), parts, once.positions, once.crossings, once.ids);
    EXPECT_TRUE(same(kept.positions, once.positions));
    EXPECT_EQ(to_vector(kept.ids), to_vector(once.ids));
    oracle::host_copy const a(kept.crossings), b(once.crossings);
    for (std::size_t i = 0; i < kept.ids.extent(0); ++i)
      for (int d = 0; d < 3; ++d) EXPECT_EQ(a(i, d), b(i, d));
    for (auto const& p : to_points(kept.positions)) EXPECT_EQ(parts.owner(p.x[0], p.x[1], p.x[2]), comm.rank());
  }
}

}  // namespace

TEST(migration, steps_are_those_of_the_free_function) { steps(world()); }
TEST(migration, steps_are_those_of_the_free_function_by_staging) { steps(staged_communicator()); }

// Rows without elements have no memory; what is kept for them is kept all the same.
TEST(migration, rows_without_elements_take_no_memory) {
  auto const& comm = world();
  auto const set = random_set({true, true, true}, 5);
  mpi::domain<double> const parts(comm, set.box);
  particles all(set, owned_ids(set, parts, comm.rank()));
  Kokkos::View<double**, memory_space> none("none", all.ids.extent(0), 0);
  mpi::migration<space_type> m;
  for (std::uint64_t step = 0; step < 6; ++step) {
    all.drift(step);
    {
      contracts::recorder const seen;
      m.run(comm, space_type(), parts, all.positions, all.ids, none);
    }
    EXPECT_TRUE(step < 2 || contracts::recorder::allocations().empty())
        << "step " << step << ": " << contracts::recorder::allocations().front();
    EXPECT_EQ(none.extent(0), all.ids.extent(0));
  }
}

TEST(migration, a_bad_position_leaves_all_as_it_was) {
  auto const& comm = world();
  auto const set = random_set({true, true, true}, 6);
  mpi::domain<double> const parts(comm, set.box);
  particles all(set, owned_ids(set, parts, comm.rank()));
  mpi::migration<space_type> m;
  for (std::uint64_t step = 0; step < 3; ++step) {
    all.drift(step);
    m.run(comm, space_type(), parts, all.positions, all.ids);
  }
  all.drift(9);
  auto const good = to_points(all.positions);
  auto const ids = to_vector(all.ids);
  for (int culprit = 0; culprit < comm.size(); ++culprit) {
    auto points = good;
    if (comm.rank() == culprit && points.size() > 5) points[5].x[1] = std::numeric_limits<double>::quiet_NaN();
    int const mine = comm.rank() == culprit && points.size() > 5 ? 1 : 0;
    int any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any == 0) continue;
    auto bad = to_positions(points);
    auto const* const before = bad.data();
    auto const text = message_of<upsweep::precondition_error>([&] { m.run(comm, space_type(), parts, bad, all.ids); });
    EXPECT_EQ(text.rfind("rank " + std::to_string(culprit) + ": mpi::migrate: particle 5 at (", 0), 0u) << text;
    EXPECT_EQ(bad.data(), before);
    EXPECT_EQ(to_vector(all.ids), ids);
  }
  m.run(comm, space_type(), parts, all.positions, all.ids);
  for (auto const& p : to_points(all.positions)) EXPECT_EQ(parts.owner(p.x[0], p.x[1], p.x[2]), comm.rank());
  std::uint64_t const held = all.ids.extent(0);
  std::uint64_t sum = 0;
  MPI_Allreduce(&held, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(sum, set.points.size());
}

TEST(migration, domains_that_differ_are_refused) {
  auto const& comm = world();
  if (comm.size() == 1) return;
  mpi::domain<double> const small(comm, upsweep::box<double>({0, 0, 0}, {10, 10, 10}));
  mpi::domain<double> const large(comm, upsweep::box<double>({0, 0, 0}, {20, 20, 20}));
  auto positions = to_positions(std::vector<point>(4, point{{11, 1, 1}}));
  mpi::migration<space_type> m;
  EXPECT_THROW(m.run(comm, space_type(), comm.rank() == 0 ? small : large, positions), upsweep::precondition_error);
  for (auto const& p : to_points(positions)) EXPECT_EQ(p.x[0], 11);
}
