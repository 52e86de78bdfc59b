// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/detail/messages/choose_transport.hpp>
#include <upsweep/mpi/detail/messages/transport.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "mpi_nccl.hpp"
#include "rows_of_calls.hpp"
#include "shared_memory_peers.hpp"

using namespace testing_mpi;
namespace mpi = upsweep::mpi;
namespace detail = upsweep::mpi::detail;

namespace {

/// An exchange around a ring of ranks.
struct ring_exchange {
  mpi::communicator comm;
  detail::transfer const* how;
  int left = (comm.rank() + comm.size() - 1) % comm.size();
  int right = (comm.rank() + 1) % comm.size();
  std::size_t bytes;
  int salt;
  view<unsigned char> out, in;
  detail::transport<space_type> messages;

  ring_exchange(mpi::communicator const& on, int which)
      : comm(on),
        how(detail::transfer_of(comm, space_type())),
        bytes(1000 + 500 * static_cast<std::size_t>(which)),
        salt(which),
        out(to_view(pattern(comm.rank()))),
        in("in", bytes) {
    messages.prepare(comm, space_type(), how, {{right, 0, bytes}}, {{left, 0, bytes}}, 1);
  }
  std::vector<unsigned char> pattern(int rank) const {
    std::vector<unsigned char> result(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
      result[i] = static_cast<unsigned char>(i * 7 + static_cast<std::size_t>(rank * 31 + salt * 17));
    return result;
  }
  std::byte const* from() const { return reinterpret_cast<std::byte const*>(out.data()); }
  std::byte* to() const { return reinterpret_cast<std::byte*>(in.data()); }
  void start() { messages.start(comm, space_type(), from(), to()); }
  void start_written() { messages.start_written(comm, from(), to()); }
  void finish() { messages.finish(comm); }
  void expect_arrived() const { EXPECT_EQ(to_vector(in), pattern(left)); }
};

/// Odd ranks start the second exchange only when the first one has ended on all ranks. A rank that waited for both
/// would hang. The test reads what has arrived last of all, because a copy from a GPU waits for messages, too.
void expect_that_each_is_waited_for(mpi::communicator const& comm) {
  ring_exchange first(comm, 1), second(comm, 2);
  bool const early = comm.rank() % 2 == 0;
  first.start();
  if (early) second.start_written();
  first.finish();
  MPI_Barrier(MPI_COMM_WORLD);
  if (!early) second.start_written();
  second.finish();
  first.expect_arrived();
  second.expect_arrived();
}

/// More of them than NCCL has markers here, in a ring of two transports.
void expect_many_in_turn(mpi::communicator const& comm) {
  ring_exchange exchanges[2] = {{comm, 1}, {comm, 2}};
  exchanges[0].start();
  for (int k = 0; k < 40; ++k) {
    exchanges[(k + 1) % 2].start_written();
    exchanges[k % 2].finish();
    exchanges[k % 2].expect_arrived();
  }
  exchanges[0].finish();
}

/// What is dropped in flight meets no later message.
void expect_that_both_can_be_dropped(mpi::communicator const& comm) {
  {
    ring_exchange first(comm, 1), second(comm, 2);
    first.start();
    second.start();
  }
  ring_exchange last(comm, 3);
  last.start();
  last.finish();
  last.expect_arrived();
}

void expect_two_in_flight(mpi::communicator const& comm) {
  expect_that_each_is_waited_for(comm);
  expect_many_in_turn(comm);
  expect_that_both_can_be_dropped(comm);
}

}  // namespace

TEST(transport, two_in_flight_by_mpi) {
  if (world().size() == 1) GTEST_SKIP() << "needs two ranks";
  expect_two_in_flight(world());
}
TEST(transport, two_in_flight_by_staging) {
  if (world().size() == 1) GTEST_SKIP() << "needs two ranks";
  expect_two_in_flight(staged_communicator());
}
TEST(transport, two_in_flight_by_nccl) {
  if (!Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory_space>::accessible || world().size() == 1)
    GTEST_SKIP() << "needs the double of NCCL, which stands in where there are no GPUs, and two ranks";
  mpi_nccl nccl;
  expect_two_in_flight(by_nccl(nccl));
  EXPECT_EQ(nccl.aborted, 0);
}
TEST(transport, two_in_flight_by_peers) {
  if (!Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory_space>::accessible || world().size() == 1)
    GTEST_SKIP() << "needs the double of peer memory, which stands in where there are no GPUs, and two ranks";
  shared_memory_peers peers;
  expect_two_in_flight(by_peers(peers));
}
