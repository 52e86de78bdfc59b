// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "testing.hpp"

#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>

#include <cstddef>
#include <vector>

namespace testing_mpi {

/// Messages of all ranks to all ranks, several between two of them, in an order of each rank's own.
struct all_to_all {
  upsweep::mpi::communicator comm{MPI_COMM_WORLD};
  std::vector<upsweep::mpi::detail::message> sends, receives;
  std::vector<std::byte> out, in, expected;

  static std::size_t length(int from, int to, int which) {
    std::size_t const lengths[] = {0, 1, 63, 64, 1000, 4096, 5000, 20001};
    return lengths[static_cast<std::size_t>(from * 5 + to * 3 + which) % 8];
  }
  static std::byte at(int from, int to, int which, std::size_t i) {
    return static_cast<std::byte>((static_cast<std::size_t>(from * 31 + to * 17 + which * 7) + i * 13) & 255u);
  }

  all_to_all() {
    int const size = comm.size(), me = comm.rank();
    for (int step = 0; step < size; ++step) {
      int const peer = (me * 3 + step) % size;
      for (int which = 0; which < 3; ++which) {
        sends.push_back({peer, out.size(), length(me, peer, which)});
        for (std::size_t i = 0; i < sends.back().bytes; ++i) out.push_back(at(me, peer, which, i));
        receives.push_back({peer, expected.size(), length(peer, me, which)});
        for (std::size_t i = 0; i < receives.back().bytes; ++i)
          expected.push_back(peer == me ? std::byte{0} : at(peer, me, which, i));
      }
    }
    in.resize(expected.size());
  }
};

}  // namespace testing_mpi
