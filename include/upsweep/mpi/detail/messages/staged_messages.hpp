// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/messages/copy_queue.hpp>
#include <upsweep/mpi/detail/messages/message_mover.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

/// Messages travel through pinned memory of the host in chunks of this many bytes, so that one is copied while another
/// is sent. The same on all ranks, since a chunk is a message of MPI.
inline constexpr std::size_t staging_chunk = std::size_t{1} << 21;
/// Pinned memory for each direction, at most. Later chunks take the place of earlier ones.
inline constexpr std::size_t staging_window = std::size_t{1} << 25;

/// The chunks of one direction, and their places in a ring of pinned memory.
struct staging_lane {
  struct chunk {
    int peer;
    std::size_t first, bytes;  ///< of the memory of the device
    std::size_t place;         ///< in the ring
    std::size_t after;         ///< how many chunks must have left the ring before this one enters it
  };

  Kokkos::View<std::byte*, staging_space> ring;
  std::vector<std::size_t> order;  ///< of messages
  std::vector<chunk> chunks;
  std::vector<MPI_Request> requests;  ///< one a chunk

  // Chunks that have entered the ring; have moved on, to MPI or to the device; and have left the ring.
  std::size_t entered = 0, moved = 0, left = 0;

  void reserve(std::size_t messages, std::size_t bytes, std::size_t chunk_bytes, std::size_t window);
  /// Cuts messages into chunks, those of the least distance between ranks first.
  void set(std::vector<message> const& messages, int rank, int size, bool incoming, std::size_t chunk_bytes);
  void restart();
  bool is_done() const { return left == chunks.size(); }
  bool has_place() const { return entered < chunks.size() && chunks[entered].after <= left; }

 private:
  void place_chunks();
};

/// Messages through pinned host memory, as a pipeline of chunks: those that go are copied to the host and sent, those
/// that come are received and copied to the device, all at the same time. Places in the pinned memory are few, so
/// messages go in the order of order_by_distance().
class staged_messages final : public message_mover {
 public:
  staged_messages(std::unique_ptr<copy_queue> to_host, std::unique_ptr<copy_queue> to_device,
                  std::size_t chunk_bytes = staging_chunk, std::size_t window = staging_window)
      : to_host_(std::move(to_host)), to_device_(std::move(to_device)), chunk_bytes_(chunk_bytes), window_(window) {}
  ~staged_messages() override { abandon(); }

  void reserve(std::size_t messages, std::size_t out, std::size_t in) override;
  void prepare(communicator const& comm, std::vector<message> const& sends,
               std::vector<message> const& receives) override;
  /// Sends as many chunks as there is pinned memory for.
  void start(communicator const& comm, std::byte const* from, std::byte* to) override;
  void finish(communicator const& comm) override;
  void abandon() noexcept override;

 private:
  static constexpr char const* copies = "a copy between host and device";

  /// Each goes on as far as it can without waiting. False where nothing has changed.
  bool send_some(bool first_ones) noexcept;
  bool receive_some() noexcept;
  bool is_complete(MPI_Request& request, staging_lane::chunk const* incoming) noexcept;
  /// True where the copy of a chunk is done, or has failed.
  bool has_passed(copy_queue& queue, std::size_t chunk) noexcept;
  void note_failed_copy() noexcept;
  void wait() noexcept;

  std::unique_ptr<copy_queue> to_host_, to_device_;
  std::size_t chunk_bytes_, window_;
  staging_lane out_, in_;
  MPI_Comm handle_ = MPI_COMM_NULL;
  int tag_ = 0;
  std::byte const* from_ = nullptr;
  std::byte* to_ = nullptr;
  bool abandoned_ = false;  ///< what arrives is not copied to the device
  exchange_result result_;
  bool copies_failed_ = false;        ///< then messages are empty, so that the others learn of it
  std::optional<communicator> comm_;  // while messages are in flight
};

}  // namespace upsweep::mpi::detail
