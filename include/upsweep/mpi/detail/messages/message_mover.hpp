// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/held_by_pointer.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>

#include <cstddef>
#include <vector>

namespace upsweep::mpi::detail {

/// A way for messages between memories that MPI cannot reach. reserve() and prepare() are local, may throw on one rank,
/// and belong inside all_or_none; start() and finish() then move the messages without taking memory. Destroyed or
/// abandoned in between, it waits for the messages, and writes nothing more where it can.
class message_mover : public upsweep::internal::held_by_pointer {
 public:
  /// prepare() for no more messages, out or in, and no more bytes takes no memory.
  virtual void reserve(std::size_t messages, std::size_t out, std::size_t in) = 0;
  /// In bytes. Those of a rank to itself are left out.
  virtual void prepare(communicator const& comm, std::vector<message> const& sends,
                       std::vector<message> const& receives) = 0;
  /// Lets the next messages wait on the GPU for the work that its stream has been given so far. `alone`: the caller
  /// finishes them before it gives the stream more. False: the caller waits for the stream.
  virtual bool follow(communicator const&, void* /*stream*/, bool /*alone*/) noexcept { return false; }
  /// Pre: what is behind `from` has been written, or is by work that the messages follow. Throws communication_error.
  virtual void start(communicator const& comm, std::byte const* from, std::byte* to) = 0;
  /// Afterwards all has arrived behind `to`. Throws communication_error.
  virtual void finish(communicator const& comm) = 0;
  virtual void abandon() noexcept = 0;
};

}  // namespace upsweep::mpi::detail
