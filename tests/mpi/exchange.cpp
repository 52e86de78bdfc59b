// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/exchange_bytes.hpp>

using namespace testing_mpi;
namespace detail = upsweep::mpi::detail;

// Every rank sends (rank + peer) * 3 bytes to every other, in pieces of 7 bytes.
TEST(Exchange, PiecesArriveInOrder) {
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
  detail::exchange_bytes(comm, sends, out.data(), receives, in.data(), 7);
  for (auto const& m : receives)
    for (std::size_t i = 0; i < m.bytes; ++i)
      EXPECT_EQ(in[m.first + i], static_cast<std::byte>(i * 5 + static_cast<std::size_t>(m.peer)));
}

TEST(Exchange, ShortMessageIsAnError) {
  auto const& comm = world();
  if (comm.size() < 2 || comm.rank() > 1) return;
  std::vector<std::byte> buffer(64);
  if (comm.rank() == 0) detail::exchange_bytes(comm, {{1, 0, 10}}, buffer.data(), {}, buffer.data());
  else
    EXPECT_THROW(detail::exchange_bytes(comm, {}, buffer.data(), {{0, 0, 20}}, buffer.data()),
                 upsweep::communication_error);
}
