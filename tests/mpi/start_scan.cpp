// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../oracle/monoids.hpp"
#include "testing.hpp"

#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/exclusive_scan.hpp>
#include <upsweep/mpi/inclusive_scan.hpp>
#include <upsweep/mpi/start_scan.hpp>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

using oracle::matrix;
using oracle::matrix_product;

/// Every second rank has nothing.
std::vector<matrix> matrices(int rank) {
  random_numbers random{static_cast<std::uint64_t>(rank) + 5};
  auto const e = [&] { return static_cast<std::uint32_t>(random.below(matrix_product::p)); };
  std::vector<matrix> result(rank % 2 == 1 ? 0 : 1000 + 7 * static_cast<std::size_t>(rank));
  for (auto& m : result) m = {e(), e(), e(), e()};
  return result;
}

/// More than a record holds; order matters.
struct long_word {
  std::uint64_t digits[8];
  friend bool operator==(long_word const&, long_word const&) = default;
};
struct first_and_last {
  using value_type = long_word;
  KOKKOS_FUNCTION long_word identity() const { return {}; }
  KOKKOS_FUNCTION long_word operator()(long_word const& l, long_word const& r) const {
    if (l.digits[0] == 0) return r;
    if (r.digits[0] == 0) return l;
    return {{l.digits[0], r.digits[1], l.digits[2] + r.digits[2]}};
  }
  KOKKOS_FUNCTION long_word lift(std::uint64_t x) const { return {{x, x, 1}}; }
};

}  // namespace

TEST(start_scan, same_as_the_call_that_waits) {
  auto const& comm = world();
  auto const in = to_view(matrices(comm.rank()));
  view<matrix> exclusive("exclusive", in.extent(0)), inclusive("inclusive", in.extent(0)), expected("e", in.extent(0));
  {
    auto first = mpi::start_exclusive_scan(comm, space_type(), in, exclusive, matrix_product{});
    auto second = mpi::start_inclusive_scan(comm, space_type(), in, inclusive, matrix_product{});
    // Others may come between.
    EXPECT_EQ(mpi::exclusive_offset(comm, 2).total, 2u * static_cast<unsigned>(comm.size()));
    first.finish();
    second.finish();
    EXPECT_THROW(first.finish(), upsweep::precondition_error);
  }
  mpi::exclusive_scan(comm, space_type(), in, expected, matrix_product{});
  EXPECT_EQ(to_vector(exclusive), to_vector(expected));
  mpi::inclusive_scan(comm, space_type(), in, expected, matrix_product{});
  EXPECT_EQ(to_vector(inclusive), to_vector(expected));
}

TEST(start_scan, large_states_and_a_workspace) {
  auto const& comm = world();
  std::vector<std::uint64_t> const mine(3 + static_cast<std::size_t>(comm.rank()),
                                        1 + static_cast<std::uint64_t>(comm.rank()));
  auto const in = to_view(mine);
  view<long_word> out("out", mine.size()), expected("expected", mine.size());
  upsweep::workspace ws{space_type()};
  auto scan =
      mpi::start_inclusive_scan(comm, space_type(), in, out, first_and_last{}, {.workspace = &ws, .label = "mine"});
  scan.finish();
  mpi::inclusive_scan(comm, space_type(), in, expected, first_and_last{});
  EXPECT_EQ(to_vector(out), to_vector(expected));
}

TEST(start_scan, errors_come_from_finish_on_all_ranks) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  view<int> const in("in", 4), out("out", last ? 3 : 4);
  auto scan = mpi::start_exclusive_scan(comm, space_type(), in, out);
  auto const text = message_of<upsweep::precondition_error>([&] { scan.finish(); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": mpi::start_exclusive_scan: ", 0), 0u) << text;
  if (comm.size() == 1) return;
  // One rank scans something else.
  if (last) {
    auto other = mpi::start_exclusive_scan(comm, space_type(), in, view<std::int64_t>("out", 4));
    EXPECT_THROW(other.finish(), upsweep::precondition_error);
  } else {
    auto other = mpi::start_exclusive_scan(comm, space_type(), in, view<int>("out", 4));
    EXPECT_THROW(other.finish(), upsweep::precondition_error);
  }
}

// The communicator goes on working.
TEST(start_scan, may_be_abandoned) {
  auto const& comm = world();
  view<int> const in("in", 4), out("out", 4);
  {
    auto scan = mpi::start_exclusive_scan(comm, space_type(), in, out);
  }
  EXPECT_EQ(mpi::exclusive_offset(comm, 1).total, static_cast<unsigned>(comm.size()));
}

// Rank 0 has no use for the others once its communicator has failed: the others only start when it is through.
TEST(start_scan, dropped_after_a_failure_waits_for_nobody) {
  mpi::communicator const comm(MPI_COMM_WORLD);
  auto const in = to_view(std::vector<std::int64_t>{1, 2, 3});
  Kokkos::View<std::int64_t*, memory_space> const out("out", 3);
  auto const start_and_drop = [&](bool fail) {
    auto const scan = mpi::start_inclusive_scan(comm, space_type(), in, out);
    if (fail) mpi::mark_failed(comm, "MPI_Allreduce");
  };
  if (comm.rank() == 0) start_and_drop(true);
  MPI_Barrier(world().get());
  if (comm.rank() != 0) start_and_drop(false);
  EXPECT_EQ(comm.is_usable(), comm.rank() != 0);
  MPI_Barrier(world().get());
}
