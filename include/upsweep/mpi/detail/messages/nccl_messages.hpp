// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/detail/messages/message_mover.hpp>
#include <upsweep/mpi/detail/messages/nccl_library.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

/// What NCCL did not do.
struct nccl_failure {
  char const* call = nullptr;  ///< null: all is well
  int code = nccl_success;     ///< in progress: not done in time
  explicit operator bool() const { return call != nullptr; }
};

/// A communicator of NCCL beside one of MPI, on which ranks agree before each group that all of them are ready. Nothing
/// here waits longer than a deadline: a peer that does not come ends the communicator on this rank.
///
/// NCCL's calls wait for other ranks in the set-up, where a rank sends to another one for the first time, and at the
/// end. These are made on a thread of their own; a first message is preceded by one of a byte, so that a thread that
/// comes too late has nothing of a caller's memory. All other groups are launched directly, at most a few ahead of the
/// GPU. NCCL could return from every call at once (communicators that do not block), but then starts a thread for each
/// group: a message took 75 to 130 us instead of 20 to 30 (two H100s, NVLink, NCCL 2.28, 2026-11-26).
class nccl_communicator {
 public:
  /// Local; may throw.
  nccl_communicator(nccl_library& library, int gpu, double seconds, int ranks)
      : library_(library),
        seconds_(seconds),
        link_(library.make_link(gpu, ranks)),
        known_targets_(static_cast<std::size_t>(ranks)),
        known_sources_(static_cast<std::size_t>(ranks)) {
    for (auto* const new_peers : {&new_targets_, &new_sources_}) new_peers->reserve(known_targets_.size());
  }
  nccl_communicator(nccl_communicator const&) = delete;
  nccl_communicator& operator=(nccl_communicator const&) = delete;
  ~nccl_communicator() { abort(); }

  /// How long later calls wait for other ranks.
  void set_deadline(double seconds) noexcept { seconds_ = seconds; }

  /// Collective. Waits until this rank's part is set up.
  nccl_failure join(nccl_id const& id, int rank, int size) noexcept;
  /// Starts messages on the stream of this communicator, behind those before; those of `self` are left out. `marker`
  /// becomes what finish() wants. Allocates nothing, unless there is a first message from or to another rank: a rank
  /// that lacks memory for that fails, and the others after the deadline.
  nccl_failure start(int self, std::vector<message> const& sends, std::vector<message> const& receives,
                     std::byte const* from, std::byte* to, int& marker) noexcept;
  /// Lets later messages wait for the work that a stream of this GPU has been given so far. False where that failed.
  bool follow(void* stream) noexcept { return link_ && link_->follow(stream) == nccl_success; }
  /// Waits for the messages of one start, and so for all before.
  nccl_failure finish(int marker) noexcept;
  /// Collective. Frees what join() made.
  void close() noexcept;
  /// Ends it on this rank. After a failure, or in place of close().
  void abort() noexcept;
  /// Leaves it to the end of the program.
  void forget() noexcept { static_cast<void>(link_.release()); }

  std::string text(nccl_failure const& failure) const;

 private:
  /// Calls query() until it says neither success nor in progress, or the time is over.
  template <class Query>
  nccl_failure wait(char const* call, Query const& query) const noexcept;
  /// Calls f(link) on another thread and waits for what it returns. If that takes too long, the link is the thread's,
  /// which aborts it once f has returned: an abort frees what f still uses.
  template <class F>
  nccl_failure in_background(char const* call, F f) noexcept;
  /// The peers of these messages that are not known yet; now they are.
  static void find_new_peers(int self, std::vector<message> const& messages, std::vector<bool>& known,
                             std::vector<int>& new_peers) noexcept;
  /// Connects new peers: sends a byte to each new target, receives one from each new source, and waits for them. The
  /// others do the same in the same start.
  nccl_failure connect() noexcept;
  /// Waits until the last group has been launched, and puts the next marker behind it.
  nccl_failure put_marker() noexcept;

  nccl_library& library_;
  double seconds_;
  std::unique_ptr<nccl_link> link_;                  ///< null once it has failed
  std::vector<bool> known_targets_, known_sources_;  ///< by rank
  std::vector<int> new_targets_, new_sources_;       ///< of the last start
  int last_ = 0;                                     ///< marker of the last group
};

/// Messages between GPUs by NCCL, on the communicator that belongs to the caller's.
class nccl_messages final : public message_mover {
 public:
  ~nccl_messages() override { abandon(); }

  void reserve(std::size_t messages, std::size_t out, std::size_t in) override;
  void prepare(communicator const& comm, std::vector<message> const& sends,
               std::vector<message> const& receives) override;
  bool follow(communicator const& comm, void* stream, bool alone) noexcept override;
  void start(communicator const& comm, std::byte const* from, std::byte* to) override;
  void finish(communicator const& comm) override;
  void abandon() noexcept override;

 private:
  std::vector<message> sends_, receives_;
  int marker_ = 0;
  std::optional<communicator> comm_;  // while messages are in flight
};

/// What is agreed on before a communicator of NCCL is made: whether all ranks can take part in one. All ranks get the
/// same sentence that says why not; an empty one where they can. Collective.
std::string why_not_nccl(communicator const& comm, device_kind kind, int gpu);

/// Makes comm's communicator of NCCL. Where that fails on one rank, all of them get its reason; else an empty sentence.
/// Collective.
std::string connect_nccl(communicator const& comm, int gpu, double seconds);

/// The reason of the first rank with a failure or with another one, `otherwise`; empty where no rank has any.
/// Collective.
std::string reason_of_all(communicator const& comm, nccl_communicator const& nccl, nccl_failure const& failure,
                          char const* otherwise);

}  // namespace upsweep::mpi::detail
