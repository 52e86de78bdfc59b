// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/held_by_pointer.hpp>
#include <upsweep/mpi/detail/messages/device_kind.hpp>
#include <upsweep/mpi/detail/messages/gpu_records.hpp>
#include <upsweep/mpi/detail/messages/peer_exchange.hpp>
#include <upsweep/mpi/detail/messages/peer_ring.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace upsweep::mpi::detail {

// What this layer uses of CUDA or HIP to reach the memory of other GPUs of a node, so that tests can replace it. Calls
// return 0 where all is well, else an error for text().
inline constexpr int peer_success = 0;

/// What a process hands to the others so that they can open its window.
using peer_handle = std::array<std::byte, 64>;

/// This rank's window, those of the others, and the stream on which its teams work.
class peer_link : public upsweep::internal::held_by_pointer {
 public:
  virtual int share(peer_handle& handle) noexcept = 0;
  /// Maps the window of another rank, whose address base(rank) then is.
  virtual int open(int rank, peer_handle const& handle) noexcept = 0;
  virtual std::byte* base(int rank) const noexcept = 0;
  virtual peer_counters* counters() const noexcept = 0;
  virtual peer_notes* notes() const noexcept = 0;
  /// For each direction of an exchange.
  virtual std::uint32_t most_teams() const noexcept = 0;

  /// Later exchanges wait for the work that a stream of this GPU has been given so far.
  virtual int follow(void* stream) noexcept = 0;
  /// Launches the teams, behind those of earlier exchanges, or in another stream: pre: no other exchange is in flight
  /// then, or is started before this one has ended. `messages` of the exchange stay until it has.
  virtual int start(peer_exchange const& exchange, std::optional<void*> into) noexcept = 0;
  /// An error of the last exchange's stream; 0 where there is none so far.
  virtual int state() noexcept = 0;
  /// Writes 1 to words in windows of others, after the end of all exchanges, for which it waits where any is in flight.
  virtual void leave(peer_word* const* words, int count, bool in_flight) noexcept = 0;

  /// Forgets the windows of the others.
  virtual void close() noexcept = 0;
  /// The destructor leaves all memory to the end of the program, since others may use it, or devices may be gone.
  virtual void forget() noexcept = 0;
};

class peer_library : public upsweep::internal::held_by_pointer {
 public:
  virtual device_kind kind() const noexcept = 0;
  /// Of a GPU of this process.
  virtual int find_gpu(int gpu, gpu_uuid& id) noexcept = 0;
  virtual peer_ring_shape shape() const noexcept = 0;
  /// For a GPU of this process and a window for so many ranks. Local; throws.
  virtual std::unique_ptr<peer_link> make_link(int gpu, int rank, int ranks) = 0;
  virtual std::string text(int code) const = 0;
};

/// That of CUDA or HIP, or null where this library was built without.
peer_library* built_in_peers() noexcept;

}  // namespace upsweep::mpi::detail
