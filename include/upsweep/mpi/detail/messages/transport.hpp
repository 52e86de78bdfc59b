// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_memory.hpp>
#include <upsweep/mpi/detail/messages/copy_queue.hpp>
#include <upsweep/mpi/detail/messages/device_kind.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/detail/messages/message_mover.hpp>
#include <upsweep/mpi/detail/messages/nccl_messages.hpp>
#include <upsweep/mpi/detail/messages/peer_messages.hpp>
#include <upsweep/mpi/detail/messages/staged_messages.hpp>
#include <upsweep/mpi/detail/messages/transfer_cache.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

/// Messages between the memories of an instance's device, or of the host, on several ranks, whichever way they go. All
/// ways move the same bytes. reserve() and prepare() are local, may throw on one rank, and belong inside all_or_none;
/// start() and finish() then allocate nothing; NCCL does for the first message between two ranks. For one instance.
template <class ExecutionSpace>
class transport {
 public:
  /// `how` as transfer_of() says it: the same on all ranks. prepare() for no more messages, out or in, and no more
  /// bytes takes no memory.
  void reserve(ExecutionSpace const& space, transfer const* how, std::size_t messages, std::size_t out,
               std::size_t in) {
    choose(space, how);
    exchange_.reserve(messages, out + in);
    if (mover_) mover_->reserve(messages, out, in);
  }

  /// Makes ready for these messages, as exchange::prepare does.
  void prepare(communicator const& comm, ExecutionSpace const& space, transfer const* how,
               std::vector<message> const& sends, std::vector<message> const& receives, std::size_t unit) {
    choose(space, how);
    exchange_.prepare(comm.rank(), sends, receives, unit);
    if (mover_) mover_->prepare(comm, exchange_.sends(), exchange_.receives());
  }

  /// Messages start when the instance has done all that it has been given so far, the writing of `from` included. The
  /// host waits for that, or the stream on which the messages go does. Until finish() the memory of both belongs to the
  /// messages. `alone`: finish() comes before the instance is given more. Throws communication_error.
  void start(communicator const& comm, ExecutionSpace const& space, std::byte const* from, std::byte* to,
             [[maybe_unused]] bool alone = false) {
    bool follows = false;
    if constexpr (has_gpu_stream<ExecutionSpace>) follows = mover_ && mover_->follow(comm, gpu_stream(space), alone);
    if (!follows) fence_without_memory(space, "upsweep::mpi::exchange");
    start_written(comm, from, to);
  }
  /// The same without a wait, where what is behind `from` has been written.
  void start_written(communicator const& comm, std::byte const* from, std::byte* to) {
    if (mover_) mover_->start(comm, from, to);
    else exchange_.start(comm, from, to);
  }
  /// Afterwards all has arrived. Throws communication_error.
  void finish(communicator const& comm) {
    if (mover_) mover_->finish(comm);
    else exchange_.finish(comm);
  }
  void run(communicator const& comm, ExecutionSpace const& space, std::byte const* from, std::byte* to) {
    start(comm, space, from, to, true);
    finish(comm);
  }
  /// Instead of finish(): what arrives is of no use any more.
  void abandon() noexcept {
    if (mover_) mover_->abandon();
    else exchange_.abandon();
  }

  /// What was prepared, in bytes, with the messages of a rank to itself, which the caller copies.
  std::vector<message> const& sends() const { return exchange_.sends(); }
  std::vector<message> const& receives() const { return exchange_.receives(); }

 private:
  void choose(ExecutionSpace const& space, transfer const* how) {
    way const by = how == nullptr ? way::mpi : how->by;
    if (by == by_) return;
    // Nothing is set until all memory is there.
    std::unique_ptr<message_mover> next;
    if (by == way::peer) next = std::make_unique<peer_messages>();
    if (by == way::nccl) next = std::make_unique<nccl_messages>();
    if (by == way::staged)
      next = std::make_unique<staged_messages>(make_copy_queue(space, true), make_copy_queue(space, false));
    mover_ = std::move(next);
    by_ = by;
  }

  way by_ = way::mpi;
  exchange exchange_;
  std::unique_ptr<message_mover> mover_;  // null: exchange_
};

}  // namespace upsweep::mpi::detail
