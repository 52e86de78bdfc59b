// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>

using namespace testing_mpi;
namespace detail = upsweep::mpi::detail;

// Every rank sends (rank + peer) * 3 bytes to every other, in pieces of 7 bytes.
TEST(exchange, pieces_arrive_in_order) {
  auto const& comm = world();
  std::vector<detail::message> sends, receives;
  std::vector<std::byte> out, in;
  for (int r = 0; r < comm.size(); ++r) {
    if (r == comm.rank()) continue;
    std::size_t const n = static_cast<std::size_t>(r + comm.rank()) * 3;
    sends.push_back({r, out.size(), n});
    receives.push_back({r, in.size(), n});
    for (std::size_t i = 0; i < n; ++i)
      out.push_back(static_cast<std::byte>(i * 5 + static_cast<std::size_t>(comm.rank())));
    in.resize(in.size() + n);
  }
  detail::exchange exchange;
  exchange.prepare(comm.rank(), sends, receives, 1, 7);
  exchange.run(comm, out.data(), in.data());
  for (auto const& m : receives)
    for (std::size_t i = 0; i < m.bytes; ++i)
      EXPECT_EQ(in[m.first + i], static_cast<std::byte>(i * 5 + static_cast<std::size_t>(m.peer)));
}

TEST(exchange, short_message_is_an_error) {
  upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  if (comm.size() < 2 || comm.rank() > 1) return;
  std::vector<std::byte> buffer(64);
  detail::exchange exchange;
  if (comm.rank() == 0) {
    exchange.prepare(0, {{1, 0, 10}}, {});
    exchange.run(comm, buffer.data(), buffer.data());
  } else {
    exchange.prepare(1, {}, {{0, 0, 20}});
    EXPECT_THROW(exchange.run(comm, buffer.data(), buffer.data()), upsweep::communication_error);
  }
}

// The last copy of a communicator frees it, which is collective: no rank may keep one longer than the others do.
TEST(exchange, a_rank_without_messages_lets_go_of_the_communicator) {
  int key = MPI_KEYVAL_INVALID, freed = 0;
  auto const note = [](MPI_Comm, int, void* value, void*) {
    *static_cast<int*>(value) = 1;
    return MPI_SUCCESS;
  };
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note, &key, nullptr);
  std::vector<std::byte> buffer(8);
  detail::exchange exchange;
  {
    upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
    MPI_Comm_set_attr(comm.get(), key, &freed);
    bool const two = comm.size() > 1;
    exchange.prepare(
        comm.rank(), two && comm.rank() == 0 ? std::vector<detail::message>{{1, 0, 8}} : std::vector<detail::message>{},
        two && comm.rank() == 1 ? std::vector<detail::message>{{0, 0, 8}} : std::vector<detail::message>{});
    exchange.run(comm, buffer.data(), buffer.data());
  }
  EXPECT_EQ(freed, 1);
  {
    upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
    freed = 0;
    MPI_Comm_set_attr(comm.get(), key, &freed);
    exchange.start(comm, buffer.data(), buffer.data());
    exchange.abandon();
  }
  EXPECT_EQ(freed, 1);
  MPI_Comm_free_keyval(&key);
}
