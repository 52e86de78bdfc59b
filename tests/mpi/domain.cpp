// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "brick_of_owner.hpp"
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/domain.hpp>

#include <cmath>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {
mpi::rank_grid grid_of(int ranks, double a, double b, double c, mpi::rank_grid const& wanted = {0, 0, 0}) {
  return mpi::choose_grid(ranks, {a, b, c}, wanted);
}
void expect_grid(mpi::rank_grid const& g, int x, int y, int z) {
  EXPECT_EQ(g[0], x);
  EXPECT_EQ(g[1], y);
  EXPECT_EQ(g[2], z);
}
}  // namespace

TEST(choose_grid, smallest_surface) {
  expect_grid(grid_of(8, 10, 10, 10), 2, 2, 2);
  expect_grid(grid_of(8, 80, 1, 1), 8, 1, 1);
  expect_grid(grid_of(12, 10, 20, 30), 1, 3, 4);
  expect_grid(grid_of(4, 10, 10, 10, {0, 1, 0}), 2, 1, 2);
  expect_grid(grid_of(7, 1, 1, 1, {0, 7, 0}), 1, 7, 1);
  EXPECT_THROW(grid_of(8, 1, 1, 1, {3, 0, 0}), upsweep::precondition_error);
  EXPECT_THROW(grid_of(8, 1, 1, 1, {2, 2, 1}), upsweep::precondition_error);
  EXPECT_THROW(grid_of(8, 1, 1, 1, {-2, 0, 0}), upsweep::precondition_error);
}

TEST(domain, borders_and_owners_agree) {
  auto const& comm = world();
  auto const check = [&]<class Real>(Real lo, Real length) {
    upsweep::box<Real> const box({lo, lo, lo}, {lo + length, lo + 2 * length, lo + length / 3});
    mpi::domain<Real> const parts(comm, box, {comm.size(), 1, 1});
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(parts.border(d, 0), box.lo(d));
      EXPECT_EQ(parts.border(d, parts.grid()[d]), box.hi(d));
    }
    for (int r = 0; r < comm.size(); ++r) {
      auto const b = parts.brick(r);
      if (r > 0) {
        EXPECT_EQ(b.lo[0], parts.brick(r - 1).hi[0]);
        EXPECT_EQ(parts.owner(std::nextafter(b.lo[0], lo - 1), b.lo[1], b.lo[2]), r - 1);
      }
      EXPECT_EQ(parts.owner(b.lo[0], b.lo[1], b.lo[2]), r);
      EXPECT_EQ(parts.owner(std::nextafter(b.hi[0], lo), b.lo[1], b.lo[2]), r);
    }
  };
  check(0.0, 10.0);
  check(-3.3, 7.7);
  check(1e6f, 10.0f);
  check(-0.1f, 0.3f);
}

TEST(domain, owner_is_the_brick_that_holds_it) {
  auto const& comm = world();
  upsweep::box<double> const box({-1, 2, 0}, {4, 9, 3});
  mpi::domain<double> const parts(comm, box);
  random_numbers random{5};
  for (int i = 0; i < 2000; ++i) {
    Kokkos::Array<double, 3> x;
    for (int d = 0; d < 3; ++d) x[d] = box.lo(d) + random.uniform() * box.length(d);
    expect_only_owner_holds(parts, x, x);
  }
}

TEST(domain, errors_on_all_ranks) {
  auto const& comm = world();
  upsweep::box<double> const box({0, 0, 0}, {10, 10, 10});
  EXPECT_THROW(mpi::domain<double>(comm, box, {comm.size() + 1, 1, 1}), upsweep::precondition_error);
  if (comm.size() > 1) {
    upsweep::box<double> const other({0, 0, 0}, {10, 10, comm.rank() == 1 ? 11.0 : 10.0});
    EXPECT_THROW(mpi::domain<double>(comm, other), upsweep::precondition_error);
  }
}
