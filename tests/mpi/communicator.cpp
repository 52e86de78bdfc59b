// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/gpu_aware.hpp>

#include <limits>
#include <new>
#include <optional>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

TEST(communicator, shares_one_duplicate) {
  int result = MPI_UNEQUAL;
  mpi::communicator first(MPI_COMM_WORLD);
  MPI_Comm_compare(first.get(), MPI_COMM_WORLD, &result);
  EXPECT_EQ(result, MPI_CONGRUENT);
  std::optional<mpi::communicator> copy = first;
  EXPECT_EQ(copy->get(), first.get());
  mpi::communicator const moved = std::move(first);
  copy.reset();
  MPI_Comm_compare(moved.get(), MPI_COMM_WORLD, &result);
  EXPECT_EQ(result, MPI_CONGRUENT);
  EXPECT_EQ(moved.rank(), world().rank());
  EXPECT_EQ(moved.size(), world().size());
}

TEST(communicator, refuses_null) {
  auto const text = message_of<upsweep::precondition_error>([] { mpi::communicator comm(MPI_COMM_NULL); });
  EXPECT_NE(text.find("MPI_COMM_NULL"), std::string::npos);
}

TEST(communicator, refuses_inter_communicators) {
  if (world().size() == 1) return;
  int const half = world().rank() % 2;
  MPI_Comm local = MPI_COMM_NULL, inter = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, half, 0, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - half, 7, &inter);
  auto const text = message_of<upsweep::precondition_error>([&] { mpi::communicator comm(inter); });
  EXPECT_NE(text.find("inter-communicator"), std::string::npos) << text;
  MPI_Comm_free(&inter);
  MPI_Comm_free(&local);
}

TEST(communicator, check_names_the_function) {
  EXPECT_NO_THROW(mpi::check(MPI_SUCCESS, "MPI_Send"));
  auto const text = message_of<upsweep::communication_error>([] { mpi::check(MPI_ERR_RANK, "MPI_Send"); });
  EXPECT_EQ(text.rfind("MPI_Send: ", 0), 0u);
  EXPECT_GT(text.size(), 12u);
  // An error of MPI itself: with MPI_ERRORS_RETURN it comes back as a code.
  int x = 0;
  EXPECT_THROW(mpi::check(MPI_Send(&x, 1, MPI_INT, world().size() + 5, 0, world().get()), "MPI_Send"),
               upsweep::communication_error);
}

TEST(agree, lowest_failing_rank_speaks) {
  auto const& comm = world();
  EXPECT_NO_THROW(mpi::agree(comm, upsweep::error_kind::none, ""));
  int const culprit = comm.size() / 2;
  auto const text = message_of<upsweep::input_error>([&] {
    bool const mine = comm.rank() >= culprit;
    mpi::agree(comm, mine ? upsweep::error_kind::input : upsweep::error_kind::none,
               mine ? "line " + std::to_string(comm.rank()) : "");
  });
  EXPECT_EQ(text, "rank " + std::to_string(culprit) + ": line " + std::to_string(culprit));
}

TEST(agree, all_or_none) {
  auto const& comm = world();
  int const last = comm.size() - 1;
  EXPECT_EQ(mpi::all_or_none(comm, [] { return 7; }), 7);
  auto const throw_at_last = [&](auto const& raise) {
    return [&, raise] {
      mpi::all_or_none(comm, [&] {
        if (comm.rank() == last) raise();
      });
    };
  };
  EXPECT_THROW(throw_at_last([] { throw std::bad_alloc(); })(), upsweep::out_of_memory_error);
  EXPECT_THROW(throw_at_last([] { throw upsweep::overflow_error("x"); })(), upsweep::overflow_error);
  auto const unknown = message_of<upsweep::error>(throw_at_last([] { throw std::runtime_error("other"); }));
  EXPECT_EQ(unknown, "rank " + std::to_string(last) + ": other");
  EXPECT_THROW(throw_at_last([] { throw 1; })(), upsweep::error);
  // 2^56 bytes fit nowhere.
  EXPECT_THROW(throw_at_last([] {
                 view<char> huge(Kokkos::view_alloc(Kokkos::WithoutInitializing, "huge"), std::size_t{1} << 56);
               })(),
               upsweep::out_of_memory_error);
}

TEST(exclusive_offset, sums_lower_ranks) {
  auto const& comm = world();
  auto const count = [](int r) { return static_cast<std::uint64_t>(r % 3 == 1 ? 0 : 5 * r + 1); };
  auto const [offset, total] = mpi::exclusive_offset(comm, count(comm.rank()));
  std::uint64_t below = 0, all = 0;
  for (int r = 0; r < comm.size(); ++r) {
    if (r < comm.rank()) below += count(r);
    all += count(r);
  }
  EXPECT_EQ(offset, below);
  EXPECT_EQ(total, all);
}

TEST(exclusive_offset, overflow_on_all_ranks) {
  auto const& comm = world();
  auto const most = std::numeric_limits<std::uint64_t>::max();
  if (comm.size() == 1) EXPECT_EQ(mpi::exclusive_offset(comm, most).total, most);
  else EXPECT_THROW(mpi::exclusive_offset(comm, most / 2 + 1), upsweep::overflow_error);
}

TEST(gpu_aware, describes) {
  auto const text = mpi::describe_transfers(world(), space_type());
  EXPECT_EQ(text.rfind(memory_space::name(), 0), 0u);
  bool const on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory_space>::accessible;
  EXPECT_TRUE(mpi::gpu_aware(world(), space_type()) || !on_host);
}
