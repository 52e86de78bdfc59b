// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

/// The places of messages to or from other ranks, those of the least distance between ranks first. Each rank sends to
/// the rank behind it first, then to the next one, and receives in the same order of distances: of all messages that
/// are not done, those of the least distance are next both where they are sent and where they are received. So ranks
/// whose messages wait for room do not wait for each other in a ring. Allocates nothing where `order` has room.
inline void order_by_distance(std::vector<message> const& messages, int rank, int size, bool incoming,
                              std::vector<std::size_t>& order) {
  auto const distance = [&](std::size_t m) {
    int const d = incoming ? rank - messages[m].peer : messages[m].peer - rank;
    return d < 0 ? d + size : d;
  };
  order.clear();
  for (std::size_t m = 0; m < messages.size(); ++m)
    if (messages[m].peer != rank) order.push_back(m);
  // Messages of two ranks keep their order, in which they are matched.
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(distance(a), a) < std::pair(distance(b), b); });
}

}  // namespace upsweep::mpi::detail
