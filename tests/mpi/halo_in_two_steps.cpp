// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// halo::start_exchange and finish_exchange.

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/halo.hpp>

#include "moving_rows.hpp"
#include "particles.hpp"

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

// In two steps, with work in between, rows arrive as in one; packed rows go to their place, others through a buffer.
TEST(halo_in_two_steps, rows_arrive_as_in_one) {
  auto const set = random_set({true, false, true}, 22);
  mpi::domain<double> const parts(world(), set.box);
  auto const ids = owned_ids(set, parts, world().rank());
  auto const positions = to_positions(points_of(set, ids));
  for (auto const& comm : {world(), staged_communicator()}) {
    mpi::halo<space_type, double> halo;
    halo.build(comm, space_type(), parts, positions, 2.0);
    auto at_once = to_view(ids);
    Kokkos::resize(at_once, halo.owned() + halo.ghosts());
    auto in_steps = to_view(ids);
    Kokkos::resize(in_steps, at_once.extent(0));
    Kokkos::View<std::int64_t**, Kokkos::LayoutLeft, memory_space> const columns("columns", at_once.extent(0), 2);
    auto const first = Kokkos::subview(columns, Kokkos::ALL, 0);
    oracle::copy(first, at_once);
    halo.exchange(space_type(), at_once);
    halo.start_exchange(space_type(), in_steps);
    EXPECT_EQ(halo.interior_rows(space_type(), positions).extent(0) + halo.border_rows().extent(0), ids.size());
    halo.finish_exchange(space_type(), in_steps);
    halo.start_exchange(space_type(), columns);
    halo.finish_exchange(space_type(), columns);
    space_type().fence();
    EXPECT_EQ(to_vector(in_steps), to_vector(at_once));
    oracle::copy(in_steps, first);
    EXPECT_EQ(to_vector(in_steps), to_vector(at_once));
  }
}

TEST(halo_in_two_steps, an_exchange_is_finished_before_the_next) {
  auto const set = lattice_set({true, true, true});
  mpi::domain<double> const parts(world(), set.box);
  auto const ids = owned_ids(set, parts, world().rank());
  auto const positions = to_positions(points_of(set, ids));
  mpi::halo<space_type, double> halo;
  halo.build(world(), space_type(), parts, positions, 2.0);
  view<std::int64_t> const a("a", halo.owned() + halo.ghosts()), b("b", halo.owned() + halo.ghosts());
  EXPECT_THROW(halo.finish_exchange(space_type(), a), upsweep::precondition_error);
  halo.start_exchange(space_type(), a);
  EXPECT_THROW(halo.exchange(space_type(), b), upsweep::precondition_error);
  EXPECT_THROW(halo.start_exchange(space_type(), b), upsweep::precondition_error);
  EXPECT_THROW(halo.finish_exchange(space_type(), b), upsweep::precondition_error);
  halo.finish_exchange(space_type(), a);
  auto all = to_view(ids);
  Kokkos::resize(all, a.extent(0));
  halo.exchange(space_type(), all);
  auto const expected = to_vector(all);
  // One that is never finished does not meet the next.
  {
    mpi::halo<space_type, double> dropped;
    dropped.build(world(), space_type(), parts, positions, 2.0);
    dropped.start_exchange(space_type(), a);
  }
  halo.exchange(space_type(), all);
  EXPECT_EQ(to_vector(all), expected);
  // A build ends it, and fails.
  halo.start_exchange(space_type(), a);
  EXPECT_THROW(halo.build(world(), space_type(), parts, positions, 2.0), upsweep::precondition_error);
  EXPECT_THROW(halo.finish_exchange(space_type(), a), upsweep::precondition_error);
  halo.build(world(), space_type(), parts, positions, 2.0);
  halo.exchange(space_type(), all);
  EXPECT_EQ(to_vector(all), expected);
}

namespace {

/// Particles that leave the last rank without any, and without ghosts.
particle_set set_far_from_last_rank(double radius) {
  auto set = random_set({false, false, false}, 23);
  mpi::domain<double> const parts(world(), set.box);
  auto const last = parts.brick(world().size() - 1);
  std::erase_if(set.points, [&](point const& p) {
    for (int d = 0; d < 3; ++d)
      if (p.x[d] < last.lo[d] - radius || p.x[d] >= last.hi[d] + radius) return false;
    return true;
  });
  return set;
}

/// A View for owned rows and ghosts; without rows one that nobody has given memory.
template <class T>
view<T> rows_of(std::vector<std::int64_t> const& ids, std::size_t rows) {
  if (rows == 0) return {};
  view<T> result("rows", rows);
  oracle::assign(Kokkos::subview(result, std::make_pair(std::size_t(0), ids.size())), ids);
  return result;
}

void exchange_beside_empty_rank(mpi::communicator const& comm) {
  auto const set = set_far_from_last_rank(1.0);
  mpi::domain<double> const parts(comm, set.box);
  auto const ids = owned_ids(set, parts, comm.rank());
  auto const positions = to_positions(points_of(set, ids));
  mpi::halo<space_type, double> halo;
  halo.build(comm, space_type(), parts, positions, 1.0);
  std::size_t const rows = halo.owned() + halo.ghosts();
  bool const empty = comm.rank() + 1 == comm.size();
  ASSERT_EQ(rows == 0, empty);
  auto const at_once = rows_of<std::int64_t>(ids, rows), in_steps = rows_of<std::int64_t>(ids, rows);
  view<int> const others(empty ? view<int>() : view<int>("others", rows));
  halo.exchange(space_type(), at_once);

  EXPECT_THROW(halo.finish_exchange(space_type(), in_steps), upsweep::precondition_error);
  halo.start_exchange(space_type(), in_steps);
  EXPECT_THROW(halo.start_exchange(space_type(), in_steps), upsweep::precondition_error);
  EXPECT_THROW(halo.reverse_add(space_type(), in_steps), upsweep::precondition_error);
  EXPECT_THROW(halo.finish_exchange(space_type(), others), upsweep::precondition_error);
  EXPECT_NO_THROW(halo.finish_exchange(space_type(), in_steps));
  EXPECT_THROW(halo.finish_exchange(space_type(), in_steps), upsweep::precondition_error);
  space_type().fence();
  EXPECT_EQ(to_vector(in_steps), to_vector(at_once));

  // A build ends the exchange on that rank, too.
  halo.start_exchange(space_type(), in_steps);
  EXPECT_THROW(halo.build(comm, space_type(), parts, positions, 1.0), upsweep::precondition_error);
  halo.build(comm, space_type(), parts, positions, 1.0);
  EXPECT_THROW(halo.finish_exchange(space_type(), in_steps), upsweep::precondition_error);
  halo.start_exchange(space_type(), in_steps);
  EXPECT_NO_THROW(halo.finish_exchange(space_type(), in_steps));
}

}  // namespace

TEST(halo_in_two_steps, an_empty_rank_starts_and_finishes) { exchange_beside_empty_rank(world()); }
TEST(halo_in_two_steps, an_empty_rank_starts_and_finishes_by_staging) {
  exchange_beside_empty_rank(staged_communicator());
}

// Columns of one View have its address, too.
TEST(halo_in_two_steps, an_exchange_ends_in_rows_as_it_began) {
  auto const set = lattice_set({true, true, true});
  mpi::domain<double> const parts(world(), set.box);
  auto const ids = owned_ids(set, parts, world().rank());
  mpi::halo<space_type, double> halo;
  halo.build(world(), space_type(), parts, to_positions(points_of(set, ids)), 2.0);
  Kokkos::View<std::int64_t**, Kokkos::LayoutLeft, memory_space> const table("table", halo.owned() + halo.ghosts(), 2);
  auto const column = Kokkos::subview(table, Kokkos::ALL, 0);
  halo.start_exchange(space_type(), table);
  EXPECT_THROW(halo.finish_exchange(space_type(), column), upsweep::precondition_error);
  halo.finish_exchange(space_type(), table);
}
