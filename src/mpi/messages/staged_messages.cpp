// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/messages/by_distance.hpp>
#include <upsweep/mpi/detail/messages/staged_messages.hpp>
#include <upsweep/mpi/detail/messages/transfer_cache.hpp>

#include <algorithm>
#include <thread>
#include <utility>

namespace upsweep::mpi::detail {

namespace {

// Tags of MPI. Chunks are posted when there is place for them, so those of two exchanges that are in flight on one
// communicator are posted in another order on each rank. Tags keep them apart, and apart from messages that are not
// staged.
constexpr int first_tag = 2;
constexpr int tags = 1000;

/// Chunks in a ring at a time.
constexpr std::size_t most_markers = 64;

/// Places begin at multiples of this.
constexpr std::size_t place_unit = 64;
std::size_t rounded(std::size_t bytes) { return internal::divide_up(bytes, place_unit) * place_unit; }

std::size_t marker_of(std::size_t chunk) { return chunk % most_markers; }

}  // namespace

void staging_lane::reserve(std::size_t messages, std::size_t bytes, std::size_t chunk_bytes, std::size_t window) {
  std::size_t const most = messages + bytes / chunk_bytes;
  order.reserve(messages);
  chunks.reserve(most);
  requests.reserve(most);
  std::size_t const needed = bytes == 0 ? 0 : std::min(window, rounded(bytes) + messages * place_unit);
  if (ring.extent(0) >= needed) return;
  // A few more next time need no other memory.
  internal::grow(Kokkos::DefaultHostExecutionSpace(), ring, std::min(window, rounded(needed + needed / 8)), "mpi",
                 "staging");
}

void staging_lane::set(std::vector<message> const& messages, int rank, int size, bool incoming,
                       std::size_t chunk_bytes) {
  order_by_distance(messages, rank, size, incoming, order);
  chunks.clear();
  for (std::size_t const m : order) {
    auto const& [peer, first, bytes] = messages[m];
    for (std::size_t at = 0; at < bytes; at += chunk_bytes)
      chunks.push_back({peer, first + at, std::min(chunk_bytes, bytes - at), 0, 0});
  }
  requests.assign(chunks.size(), MPI_REQUEST_NULL);
  place_chunks();
}

void staging_lane::place_chunks() {
  // Chunks fill the ring in laps. One of the next lap waits for those of the last one that lie where it goes.
  std::size_t at = 0, lap = 0, gone = 0;
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    std::size_t const bytes = rounded(chunks[k].bytes);
    if (at + bytes > ring.extent(0)) {
      gone = std::max(gone, lap);
      lap = k;
      at = 0;
    }
    while (gone < lap && chunks[gone].place < at + bytes) ++gone;
    chunks[k].place = at;
    chunks[k].after = std::max(gone, k < most_markers ? 0 : k + 1 - most_markers);
    at += bytes;
  }
}

void staging_lane::restart() { entered = moved = left = 0; }

void staged_messages::reserve(std::size_t messages, std::size_t out, std::size_t in) {
  out_.reserve(messages, out, chunk_bytes_, window_);
  in_.reserve(messages, in, chunk_bytes_, window_);
  to_host_->reserve(std::min(out_.chunks.capacity(), most_markers));
  to_device_->reserve(std::min(in_.chunks.capacity(), most_markers));
}

void staged_messages::prepare(communicator const& comm, std::vector<message> const& sends,
                              std::vector<message> const& receives) {
  auto const bytes = [&](std::vector<message> const& messages) {
    std::size_t sum = 0;
    for (auto const& m : messages)
      if (m.peer != comm.rank()) sum += m.bytes;
    return sum;
  };
  reserve(std::max(sends.size(), receives.size()), bytes(sends), bytes(receives));
  out_.set(sends, comm.rank(), comm.size(), false, chunk_bytes_);
  in_.set(receives, comm.rank(), comm.size(), true, chunk_bytes_);
}

bool staged_messages::has_passed(copy_queue& queue, std::size_t chunk) noexcept {
  auto const at = queue.at(marker_of(chunk));
  if (at == copy_queue::progress::failed) note_failed_copy();
  return at != copy_queue::progress::pending;
}

void staged_messages::note_failed_copy() noexcept {
  result_.note(MPI_ERR_OTHER, copies);
  copies_failed_ = true;
}

bool staged_messages::is_complete(MPI_Request& request, staging_lane::chunk const* incoming) noexcept {
  if (request == MPI_REQUEST_NULL) return true;
  int done = 0;
  MPI_Status status;
  if (!result_.note(MPI_Test(&request, &done, &status), "MPI_Test")) {
    // The memory must not be written to later on.
    if (request != MPI_REQUEST_NULL) MPI_Wait(&request, MPI_STATUS_IGNORE);
    return true;
  }
  if (!done) return false;
  if (incoming != nullptr) result_.expect(status, static_cast<int>(incoming->bytes));
  return true;
}

bool staged_messages::send_some(bool first_ones) noexcept {
  bool any = false;
  for (auto& k = out_.moved; k < out_.entered && has_passed(*to_host_, k); ++k, any = true) {
    auto const& chunk = out_.chunks[k];
    std::byte const* const at = out_.ring.data() + chunk.place;
    result_.send(at, copies_failed_ ? 0 : static_cast<int>(chunk.bytes), chunk.peer, tag_, handle_, out_.requests[k]);
  }
  for (auto& k = out_.left; k < out_.moved && is_complete(out_.requests[k], nullptr); ++k) any = true;
  for (auto& k = out_.entered; out_.has_place() && !(first_ones && out_.chunks[k].after > 0); ++k, any = true) {
    auto const& chunk = out_.chunks[k];
    if (!to_host_->copy(out_.ring.data() + chunk.place, from_ + chunk.first, chunk.bytes, marker_of(k)))
      note_failed_copy();
  }
  return any;
}

bool staged_messages::receive_some() noexcept {
  bool any = false;
  for (auto& k = in_.moved; k < in_.entered && is_complete(in_.requests[k], &in_.chunks[k]); ++k, any = true) {
    auto const& chunk = in_.chunks[k];
    if (!abandoned_ && !to_device_->copy(to_ + chunk.first, in_.ring.data() + chunk.place, chunk.bytes, marker_of(k)))
      note_failed_copy();
  }
  for (auto& k = in_.left; k < in_.moved && has_passed(*to_device_, k); ++k) any = true;
  for (auto& k = in_.entered; in_.has_place(); ++k, any = true) {
    auto const& chunk = in_.chunks[k];
    std::byte* const at = in_.ring.data() + chunk.place;
    // Where MPI refuses, a second try takes the message away; what it holds is of no use any more.
    for (int tries = 0; tries < 2; ++tries)
      if (result_.receive(at, static_cast<int>(chunk.bytes), chunk.peer, tag_, handle_, in_.requests[k])) break;
  }
  return any;
}

void staged_messages::start(communicator const& comm, std::byte const* from, std::byte* to) {
  abandon();
  handle_ = comm.get();
  comm_ = comm;
  from_ = from;
  to_ = to;
  abandoned_ = false;
  result_ = {};
  copies_failed_ = false;
  int& exchanges = access::transfers(comm).staged;
  tag_ = first_tag + exchanges;
  exchanges = (exchanges + 1) % tags;
  out_.restart();
  in_.restart();
  do {
    bool const received = receive_some(), sent = send_some(true);
    if (!received && !sent) std::this_thread::yield();
  } while (out_.moved < out_.entered);
}

void staged_messages::finish(communicator const& comm) {
  // After another call on it has failed, messages may never come.
  static_cast<void>(comm.get());
  if (!comm_) return;
  wait();
  comm_.reset();
  result_.require_good(comm);
}

void staged_messages::wait() noexcept {
  while (!out_.is_done() || !in_.is_done()) {
    bool const received = receive_some(), sent = send_some(false);
    if (!received && !sent) std::this_thread::yield();
  }
}

void staged_messages::abandon() noexcept {
  int finalized = 1;
  if (!comm_ || MPI_Finalized(&finalized) != MPI_SUCCESS || finalized) return;
  if (comm_->is_usable()) {
    abandoned_ = true;
    wait();
  } else {
    for (std::size_t k = in_.moved; k < in_.entered; ++k) let_go(in_.requests[k], true);
    for (std::size_t k = out_.left; k < out_.moved; ++k) let_go(out_.requests[k], false);
  }
  comm_.reset();
}

}  // namespace upsweep::mpi::detail
