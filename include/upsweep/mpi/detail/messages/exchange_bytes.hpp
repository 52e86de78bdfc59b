// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace upsweep::mpi::detail {

/// A contiguous range that goes to, or comes from, one rank.
struct message {
  int peer;
  std::size_t first;
  std::size_t bytes;
};

/// Rows between consecutive offsets, one message per rank, counted in rows. Allocates nothing where `result` has room.
inline void list_messages(std::vector<std::size_t> const& offsets, std::vector<message>& result) {
  result.clear();
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
    if (offsets[r + 1] > offsets[r]) result.push_back({static_cast<int>(r), offsets[r], offsets[r + 1] - offsets[r]});
}
inline std::vector<message> messages_of(std::vector<std::size_t> const& offsets) {
  std::vector<message> result;
  list_messages(offsets, result);
  return result;
}

/// Longer messages are cut into pieces of this many bytes, since not every MPI has large counts.
inline constexpr std::size_t largest_piece = std::size_t{1} << 30;

/// How an exchange went: the first MPI call that failed, or the first message of another size than announced.
struct exchange_result {
  int code = MPI_SUCCESS;
  char const* function = nullptr;
  int source = -1;
  int received = 0, expected = 0;
  bool good() const { return function == nullptr; }

  /// Keeps the first failure. True where there was none.
  bool note(int code, char const* function) noexcept;
  /// Notes a message that is not as long as announced.
  void expect(MPI_Status const& status, int bytes) noexcept;
  /// Throws communication_error unless all was well, and makes the communicator unusable on this rank.
  void require_good(communicator const& comm) const;

  /// MPI_Irecv. False where MPI refuses it; the request is then null.
  bool receive(std::byte* to, int bytes, int peer, int tag, MPI_Comm comm, MPI_Request& request) noexcept;
  /// MPI_Isend. Where MPI refuses, an empty message goes out, so that the peer does not wait; it finds the message too
  /// short.
  void send(std::byte const* from, int bytes, int peer, int tag, MPI_Comm comm, MPI_Request& request) noexcept;
};

/// Cancels a receive or lets go of a send whose communicator has failed.
void let_go(MPI_Request& request, bool incoming) noexcept;

/// Messages in flight, and what belongs to them. When it is destroyed, it waits for them, since MPI writes to their
/// memory and the next messages must not meet them; after a failure of the communicator they are let go.
class posted_messages {
 public:
  posted_messages() = default;
  posted_messages(posted_messages&& other) noexcept;
  posted_messages& operator=(posted_messages&& other) noexcept;
  ~posted_messages() { abandon(); }

  std::vector<MPI_Request> requests;                    ///< receives first
  std::vector<std::unique_ptr<std::byte[]>> discarded;  ///< where messages go whose receive MPI has refused
  std::size_t incoming = 0, all = 0;                    ///< all: 0 where nothing is in flight
  exchange_result result;                               ///< of what was posted
  std::optional<communicator> comm;                     ///< where it was given

  void abandon() noexcept;
  /// Cancels the receives that are left, and lets go of the sends.
  void let_go() noexcept;
};

/// Messages that are sent and received together. prepare() allocates, run() does not, so ranks agree between the two
/// and none fails alone once data moves. Sender and receiver agree on sizes beforehand; two messages to one peer arrive
/// in the order of both lists. Messages of a rank to itself are left out: the caller copies them.
class exchange {
 public:
  static constexpr int nobody = -1;

  /// Room for so many messages out, as many in, and so many bytes in all: prepare() for no more allocates nothing.
  void reserve(std::size_t messages, std::size_t bytes);

  /// Makes ready for these messages; `unit` is the number of bytes in which their offsets and sizes are counted. `self`
  /// is the rank whose own messages are left out. Local. Keeps its memory from call to call.
  void prepare(int self, std::vector<message> const& sends, std::vector<message> const& receives, std::size_t unit = 1,
               std::size_t piece = largest_piece);

  /// Sends and receives everything and waits. Ranges are behind `from` and `to`, which MPI can read and write.
  /// Throws: communication_error on a rank where an MPI call failed, or a message was not as long as announced; the
  /// communicator is then unusable there. Nothing that was posted is pending afterwards.
  void run(communicator const& comm, std::byte const* from, std::byte* to) {
    start(comm, from, to);
    finish(comm);
  }
  /// run() in two steps. Between them the memory behind `from` and `to` belongs to MPI.
  void start(communicator const& comm, std::byte const* from, std::byte* to);
  void finish(communicator const& comm);
  /// Instead of finish(): what arrives is of no use any more.
  void abandon() noexcept { posted_.abandon(); }

  /// The same on any communicator, without an exception. Where MPI refuses a receive, other memory takes the message.
  exchange_result try_run(MPI_Comm comm, std::byte const* from, std::byte* to) noexcept;

  /// What was prepared, in bytes, with the messages of a rank to itself.
  std::vector<message> const& sends() const { return sends_; }
  std::vector<message> const& receives() const { return receives_; }

 private:
  std::size_t pieces_of(std::vector<message> const& messages) const;
  void post(MPI_Comm comm, std::byte const* from, std::byte* to) noexcept;
  exchange_result wait() noexcept;

  int self_ = nobody;
  std::size_t piece_ = largest_piece;
  std::vector<message> sends_, receives_;
  posted_messages posted_;
  std::vector<MPI_Status> statuses_;
  std::vector<int> expected_;
};

/// counts[r], or as many of them for each r, go to rank r; received[r] becomes what rank r sent here.
void exchange_counts(communicator const& comm, std::vector<std::uint64_t> const& counts,
                     std::vector<std::uint64_t>& received);

}  // namespace upsweep::mpi::detail
