// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/messages/copy_queue.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/detail/messages/message_mover.hpp>
#include <upsweep/mpi/detail/messages/peer_library.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::mpi::detail {

/// A call of CUDA or HIP that failed, or a wait for another rank.
struct peer_fault {
  char const* call = nullptr;
  int code = peer_success;
  std::uint32_t wait = 0;  ///< see failure_word
  explicit operator bool() const { return call != nullptr || wait != 0; }
};

/// Messages of one exchange, ready to start: in the order in which teams move them, and memory for what teams read.
struct peer_table {
  std::vector<message> sends, receives;
  Kokkos::View<peer_message*, staging_space> entries;

  void reserve(std::size_t messages);
  void set(std::vector<message> const& all_sends, std::vector<message> const& all_receives, int rank, int size);

 private:
  std::vector<std::size_t> order_;
};

/// Bytes of the chunks of a message. A small message has small chunks, so that several teams move it.
std::uint32_t peer_piece(std::size_t bytes, peer_ring_shape const& shape);

/// The windows of all ranks of a communicator, and the exchanges through them. A rank that fails stops its own teams
/// and says so to the others, whose waits then fail, too. No wait takes longer than a deadline.
class peer_communicator {
 public:
  /// Local; may throw.
  peer_communicator(peer_library& library, int gpu, int rank, int ranks, double seconds);
  peer_communicator(peer_communicator const&) = delete;
  peer_communicator& operator=(peer_communicator const&) = delete;
  ~peer_communicator() { abort(); }

  peer_fault share(peer_handle& handle) noexcept;
  peer_fault open(int rank, peer_handle const& handle) noexcept;

  void set_deadline(double seconds) noexcept { seconds_ = seconds; }

  /// Lets later messages wait for the work that a stream of this GPU has been given so far. False where that failed.
  /// Where they are the only ones in flight, and `alone`, they go into that stream, which takes less time.
  bool follow(void* stream, bool alone) noexcept;
  /// Starts messages behind those before; all ranks with messages do. `number` becomes what finish() wants. Allocates
  /// nothing. The table must stay until the exchange has ended.
  peer_fault start(peer_table const& table, std::byte const* from, std::byte* to, std::uint32_t& number) noexcept;
  /// Waits for the messages of one start, and so for all before.
  peer_fault finish(std::uint32_t number) noexcept;
  /// Collective: frees the windows, when all ranks are there and have closed those of others. Where a rank does not
  /// come until the deadline, this one gives up, and the communicator of MPI is of no use. Returns whether all came.
  bool close(MPI_Comm comm) noexcept;
  /// After a failure: ends exchanges in flight and lets the others know. Local.
  void give_up() noexcept;
  /// The same, or in place of close(): then it is left to the end of the program.
  void abort() noexcept;
  /// Frees the window, which no other rank has opened. Local.
  void free_alone() noexcept;
  /// Leaves it to the end of the program.
  void forget() noexcept;

  std::string text(peer_fault const& fault) const;

 private:
  peer_window window(int rank) const noexcept { return {link_->base(rank), ranks_, shape_}; }
  bool is_in_flight() const noexcept;
  bool all_arrive(MPI_Comm comm) const noexcept;
  void fill(peer_table const& table, std::byte const* from, std::byte* to, peer_exchange& exchange) noexcept;

  peer_library& library_;
  int rank_, ranks_;
  double seconds_;
  peer_ring_shape shape_;
  std::unique_ptr<peer_link> link_;             ///< null after its end
  std::vector<std::uint32_t> sent_, received_;  ///< chunks so far, by rank
  std::vector<peer_word*> left_;                ///< where the others learn that this rank has given up
  std::uint32_t number_ = 0;                    ///< of the last exchange
  std::optional<void*> stream_;                 ///< of the caller, for the next exchange
};

/// Messages between GPUs of one node, by kernels that store into each other's memory.
class peer_messages final : public message_mover {
 public:
  ~peer_messages() override { abandon(); }

  void reserve(std::size_t messages, std::size_t out, std::size_t in) override;
  void prepare(communicator const& comm, std::vector<message> const& sends,
               std::vector<message> const& receives) override;
  bool follow(communicator const& comm, void* stream, bool alone) noexcept override;
  void start(communicator const& comm, std::byte const* from, std::byte* to) override;
  void finish(communicator const& comm) override;
  void abandon() noexcept override;

 private:
  peer_table table_;
  std::uint32_t number_ = 0;
  std::optional<communicator> comm_;  // while messages are in flight
};

/// What is agreed on before windows are made: whether all ranks are on one node, each with a GPU of its own. All ranks
/// get the same sentence that says why not; an empty one where they can. Collective.
std::string why_not_peer(communicator const& comm, device_kind kind, int gpu);

/// Collective: closes windows that are open. Throws communication_error where a rank does not come in time.
void close_peers(communicator const& comm, peer_communicator& peers);

/// Makes the windows and opens them. Where that fails on one rank, all of them get its reason; else an empty sentence.
/// Collective.
std::string connect_peers(communicator const& comm, int gpu, double seconds);

}  // namespace upsweep::mpi::detail
