// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace upsweep::mpi::detail {

/// A contiguous range that goes to, or comes from, one rank. Offsets and sizes are in bytes.
struct message {
  int peer;
  std::size_t first;
  std::size_t bytes;
};

/// Longer messages are cut into pieces of this many bytes, since not every MPI has large counts.
inline constexpr std::size_t largest_piece = std::size_t{1} << 30;

/// Sends and receives all messages and waits. Ranges are behind `from` and `to`, which MPI can read and write. Sender
/// and receiver agree on sizes beforehand; two messages to one peer arrive in the order of both lists. Messages to
/// oneself and empty ones are left out: the caller copies the former.
void exchange_bytes(communicator const& comm, std::vector<message> const& sends, std::byte const* from,
                    std::vector<message> const& receives, std::byte* to, std::size_t piece = largest_piece);

/// counts[r] goes to rank r; returns what rank r sent here.
std::vector<std::uint64_t> exchange_counts(communicator const& comm, std::vector<std::uint64_t> const& counts);

}  // namespace upsweep::mpi::detail
