// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/held_by_pointer.hpp>
#include <upsweep/mpi/detail/messages/device_kind.hpp>
#include <upsweep/mpi/detail/messages/gpu_records.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace upsweep::mpi::detail {

// What this layer uses of NCCL, and of RCCL on AMD GPUs, so that tests can replace it. Calls return 0 where all is
// well, in_progress where the rest is done in the background, else an error for text(). join(), end() and close() may
// wait for other ranks.
inline constexpr int nccl_success = 0;
inline constexpr int nccl_system_error = 2;
inline constexpr int nccl_in_progress = 7;

/// Groups that can be distinguished while they are in flight. With more of them, a wait for an early one is one for a
/// later one that has its marker. No call has more than three.
inline constexpr int nccl_markers = 8;

/// What rank 0 makes for the set-up, and hands to the others.
using nccl_id = std::array<std::byte, 128>;

/// This rank's part of a communicator of NCCL, with a stream of its own. Destroying it frees it after close(), and lets
/// go of it otherwise.
class nccl_link : public upsweep::internal::held_by_pointer {
 public:
  /// Makes the GPU the current one of this thread, for good: CUDA would use memory of GPU 0 for a thread without one.
  virtual void enter_thread() noexcept = 0;
  /// Memory of the GPU for the first messages: a byte from each rank, and after these one to send.
  virtual std::byte* first_bytes() noexcept = 0;

  /// Begins the set-up, which all ranks do.
  virtual int join(nccl_id const& id, int rank, int size) noexcept = 0;
  /// Messages of later groups wait for the work that a stream of this GPU has been given so far.
  virtual int follow(void* stream) noexcept = 0;
  // Messages between begin() and end() travel together, as many bytes as one likes.
  virtual int begin() noexcept = 0;
  virtual int send(std::byte const* from, std::size_t bytes, int peer) noexcept = 0;
  virtual int receive(std::byte* to, std::size_t bytes, int peer) noexcept = 0;
  virtual int end() noexcept = 0;
  /// Of set-up, of the launch of the last group, and of close(). Errors that occur later, too.
  virtual int state() noexcept = 0;
  /// Puts a marker, 0 <= marker < nccl_markers, behind the messages of all groups that have been launched.
  virtual int mark(int marker) noexcept = 0;
  /// In progress until all messages before the marker have gone and arrived.
  virtual int messages_state(int marker) noexcept = 0;
  /// Begins the end, which all ranks do.
  virtual int close() noexcept = 0;
  /// Ends messages in flight and the link, on this rank alone. Nothing but the destructor may follow.
  virtual void abort() noexcept = 0;
};

class nccl_library : public upsweep::internal::held_by_pointer {
 public:
  virtual std::string name() const = 0;  ///< "NCCL 2.28.3"
  virtual device_kind kind() const noexcept = 0;
  /// Of a GPU of this process.
  virtual int find_gpu(int gpu, gpu_uuid& id) noexcept = 0;
  virtual int make_id(nccl_id& id) noexcept = 0;
  /// For a GPU of this process, and so many ranks. Local; may throw.
  virtual std::unique_ptr<nccl_link> make_link(int gpu, int ranks) = 0;
  virtual std::string text(int code) const = 0;
};

/// The one that this library was built with, or null.
nccl_library* built_in_nccl() noexcept;

}  // namespace upsweep::mpi::detail
