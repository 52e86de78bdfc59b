// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/messages/by_distance.hpp>
#include <upsweep/mpi/detail/messages/gpu_records.hpp>
#include <upsweep/mpi/detail/messages/peer_messages.hpp>
#include <upsweep/mpi/detail/messages/transfer_cache.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>

namespace upsweep::mpi::detail {

namespace {

constexpr char const* transport_name = "the transport by peer memory";

std::uint32_t load(std::uint32_t& word) noexcept {
  return std::atomic_ref<std::uint32_t>(word).load(std::memory_order_acquire);
}

}  // namespace

std::uint32_t peer_piece(std::size_t bytes, peer_ring_shape const& shape) {
  constexpr std::size_t chunks = 64, least = 4096, unit = 1024;
  std::size_t const piece = std::max(least, internal::divide_up(internal::divide_up(bytes, chunks), unit) * unit);
  return static_cast<std::uint32_t>(std::min<std::size_t>(piece, shape.slot_bytes));
}

void peer_table::reserve(std::size_t messages) {
  for (auto* const list : {&sends, &receives}) list->reserve(messages);
  order_.reserve(messages);
  if (entries.extent(0) < 2 * messages)
    internal::grow(Kokkos::DefaultHostExecutionSpace(), entries, 2 * messages, "mpi", "messages");
}

void peer_table::set(std::vector<message> const& all_sends, std::vector<message> const& all_receives, int rank,
                     int size) {
  reserve(std::max(all_sends.size(), all_receives.size()));
  auto const set_list = [&](std::vector<message>& list, std::vector<message> const& all, bool incoming) {
    order_by_distance(all, rank, size, incoming, order_);
    list.clear();
    for (std::size_t const m : order_)
      if (all[m].bytes > 0) list.push_back(all[m]);
  };
  set_list(sends, all_sends, false);
  set_list(receives, all_receives, true);
}

peer_communicator::peer_communicator(peer_library& library, int gpu, int rank, int ranks, double seconds)
    : library_(library),
      rank_(rank),
      ranks_(ranks),
      seconds_(seconds),
      shape_(library.shape()),
      link_(library.make_link(gpu, rank, ranks)),
      sent_(static_cast<std::size_t>(ranks), shape_.first),
      received_(sent_) {
  left_.reserve(sent_.size());
}

peer_fault peer_communicator::share(peer_handle& handle) noexcept {
  int const code = link_->share(handle);
  return code == peer_success ? peer_fault{} : peer_fault{"a handle for memory of the GPU", code};
}

peer_fault peer_communicator::open(int rank, peer_handle const& handle) noexcept {
  int const code = link_->open(rank, handle);
  if (code != peer_success) return {"memory of another rank's GPU cannot be opened", code};
  left_.push_back(window(rank).left() + rank_);
  return {};
}

bool peer_communicator::is_in_flight() const noexcept { return !has_reached(load(link_->notes()->done), number_); }

bool peer_communicator::follow(void* stream, bool alone) noexcept {
  stream_.reset();
  if (!link_) return false;
  if (!alone || is_in_flight()) return link_->follow(stream) == peer_success;
  stream_ = stream;
  return true;
}

void peer_communicator::fill(peer_table const& table, std::byte const* from, std::byte* to,
                             peer_exchange& exchange) noexcept {
  auto* entry = table.entries.data();
  exchange.messages = entry;
  auto const add = [&](std::vector<message> const& messages, bool incoming, peer_list& list) {
    for (auto const& m : messages) {
      auto const peer = static_cast<std::size_t>(m.peer);
      auto const mine = window(rank_), theirs = window(m.peer);
      int const ring = incoming ? mine.ring(m.peer, rank_) : mine.ring(rank_, m.peer);
      std::uint32_t const piece = peer_piece(m.bytes, shape_);
      auto const chunks = static_cast<std::uint32_t>(internal::divide_up(m.bytes, std::size_t{piece}));
      std::uint32_t& number = incoming ? received_[peer] : sent_[peer];
      *entry++ = {.memory = incoming ? to + m.first : const_cast<std::byte*>(from) + m.first,
                  .slots = incoming ? mine.slots(ring) : theirs.slots(ring),
                  .waits_for = incoming ? mine.arrived(ring) : mine.taken(ring),
                  .raises = incoming ? theirs.taken(ring) : theirs.arrived(ring),
                  .bytes = m.bytes,
                  .piece = piece,
                  .before = list.chunks,
                  .number = number,
                  .peer = static_cast<std::uint32_t>(m.peer)};
      number += chunks;
      list.chunks += chunks;
      ++list.messages;
    }
    list.teams = std::min(list.chunks, link_->most_teams());
  };
  add(table.sends, false, exchange.sends);
  add(table.receives, true, exchange.receives);
}

peer_fault peer_communicator::start(peer_table const& table, std::byte const* from, std::byte* to,
                                    std::uint32_t& number) noexcept {
  number = number_;
  auto const into = std::exchange(stream_, std::nullopt);
  if (table.sends.empty() && table.receives.empty()) return {};
  peer_exchange exchange;
  fill(table, from, to, exchange);
  exchange.left = window(rank_).left();
  exchange.counters = link_->counters();
  exchange.notes = link_->notes();
  exchange.shape = shape_;
  exchange.number = number = ++number_;
  exchange.nanoseconds = static_cast<std::uint64_t>(seconds_ * 1e9);
  int const code = link_->start(exchange, into);
  return code == peer_success ? peer_fault{} : peer_fault{"a launch", code};
}

peer_fault peer_communicator::finish(std::uint32_t number) noexcept {
  // Teams end by themselves. An error of the stream, after which none of them would say so, is looked for now and then,
  // since that takes as long as a launch.
  constexpr auto looks_every = std::chrono::milliseconds(2);
  auto next_look = std::chrono::steady_clock::now() + looks_every;
  auto& notes = *link_->notes();
  while (!has_reached(load(notes.done), number)) {
    std::this_thread::yield();
    if (std::chrono::steady_clock::now() < next_look) continue;
    int const code = link_->state();
    if (code != peer_success) return {"a kernel", code};
    next_look = std::chrono::steady_clock::now() + looks_every;
  }
  return {nullptr, peer_success, load(notes.failure)};
}

bool peer_communicator::all_arrive(MPI_Comm comm) const noexcept {
  // No MPI_Barrier: a rank that does not come would be waited for without end.
  MPI_Request request = MPI_REQUEST_NULL;
  if (MPI_Ibarrier(comm, &request) != MPI_SUCCESS) return false;
  auto const begin = std::chrono::steady_clock::now();
  for (int done = 0;;) {
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (done) return true;
    std::chrono::duration<double> const waited = std::chrono::steady_clock::now() - begin;
    if (waited.count() > seconds_) return false;
    std::this_thread::yield();
  }
}

bool peer_communicator::close(MPI_Comm comm) noexcept {
  if (!all_arrive(comm)) {
    abort();
    return false;
  }
  if (link_) link_->close();
  bool const all_closed = all_arrive(comm);
  if (all_closed) link_.reset();
  else forget();
  return all_closed;
}

void peer_communicator::give_up() noexcept {
  if (!link_) return;
  std::atomic_ref<std::uint32_t>(link_->notes()->stop).store(1, std::memory_order_release);
  link_->leave(left_.data(), static_cast<int>(left_.size()), is_in_flight());
}

void peer_communicator::abort() noexcept {
  give_up();
  forget();
}

void peer_communicator::free_alone() noexcept { link_.reset(); }

void peer_communicator::forget() noexcept {
  if (!link_) return;
  link_->forget();
  link_.reset();
}

std::string peer_communicator::text(peer_fault const& fault) const {
  if (fault.call != nullptr) return std::string(fault.call) + ": " + library_.text(fault.code);
  std::string const rank = "rank " + std::to_string(fault.wait & 0xffffff);
  switch (static_cast<peer_failure>(fault.wait >> 24)) {
    case peer_failure::left: return rank + " has given up";
    case peer_failure::stopped: return "this rank has given up";
    default: return rank + " did not answer in " + internal::text_of(seconds_) + " s (UPSWEEP_PEER_TIMEOUT)";
  }
}

namespace {

[[noreturn]] void fail(communicator const& comm, peer_fault const& fault) {
  mark_failed(comm, transport_name);
  auto& peers = *access::transfers(comm).peers;
  peers.abort();
  throw communication_error("mpi::exchange: " + peers.text(fault));
}

}  // namespace

void peer_messages::reserve(std::size_t messages, std::size_t, std::size_t) { table_.reserve(messages); }

void peer_messages::prepare(communicator const& comm, std::vector<message> const& sends,
                            std::vector<message> const& receives) {
  table_.set(sends, receives, comm.rank(), comm.size());
}

bool peer_messages::follow(communicator const& comm, void* stream, bool alone) noexcept {
  auto const& peers = access::transfers(comm).peers;
  return peers && peers->follow(stream, alone);
}

void peer_messages::start(communicator const& comm, std::byte const* from, std::byte* to) {
  abandon();
  static_cast<void>(comm.get());
  if (auto const fault = access::transfers(comm).peers->start(table_, from, to, number_)) fail(comm, fault);
  comm_ = comm;
}

void peer_messages::finish(communicator const& comm) {
  static_cast<void>(comm.get());
  if (!comm_) return;
  comm_.reset();
  if (auto const fault = access::transfers(comm).peers->finish(number_)) fail(comm, fault);
}

void peer_messages::abandon() noexcept {
  int finalized = 1;
  if (!comm_ || MPI_Finalized(&finalized) != MPI_SUCCESS || finalized) return;
  auto& peers = *access::transfers(*comm_).peers;
  if (!comm_->is_usable()) peers.abort();
  else if (peers.finish(number_)) {
    mark_failed(*comm_, transport_name);
    peers.abort();
  }
  comm_.reset();
}

namespace {

enum peer_state : std::int32_t { good, no_library, other_memory, no_gpu, other_node };

/// Whether all ranks are on one node, as MPI says. Collective.
bool all_on_one_node(communicator const& comm) {
  MPI_Comm node = MPI_COMM_NULL;
  check(comm, MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  int size = 0;
  check(comm, MPI_Comm_size(node, &size), "MPI_Comm_size");
  check(comm, MPI_Comm_free(&node), "MPI_Comm_free");
  return size == comm.size();
}

std::string describe(std::vector<gpu_record> const& of_ranks, bool may_share) {
  for (std::size_t r = 0; r < of_ranks.size(); ++r) {
    std::string const rank = std::to_string(r);
    switch (of_ranks[r].state) {
      case no_library: return "Upsweep was built without CUDA and HIP on rank " + rank;
      case other_memory: return "CUDA or HIP cannot open this memory on rank " + rank;
      case no_gpu: return "the GPU of rank " + rank + " has no UUID";
      case other_node: return "ranks are on several nodes";
      default: break;
    }
  }
  auto const shared = may_share ? std::string() : shared_gpu(of_ranks);
  return shared.empty() ? shared : shared + ", and each rank needs one of its own";
}

}  // namespace

std::string why_not_peer(communicator const& comm, device_kind kind, int gpu) {
  bool const one_node = all_on_one_node(comm);
  auto const& transfers = access::transfers(comm);
  gpu_record mine{{}, good};
  if (transfers.peer_memory == nullptr) mine.state = no_library;
  else if (transfers.peer_memory->kind() != kind) mine.state = other_memory;
  else if (!one_node) mine.state = other_node;
  else if (transfers.peer_memory->find_gpu(gpu, mine.gpu) != peer_success) mine.state = no_gpu;
  auto const of_ranks = gather_records(comm, mine);
  return all_or_none(comm, [&] { return describe(of_ranks, transfers.ranks_may_share_gpus); });
}

void close_peers(communicator const& comm, peer_communicator& peers) {
  if (peers.close(comm.get())) return;
  mark_failed(comm, transport_name);
  throw communication_error(
      "mpi::gpu_aware: a rank did not end the self-test of messages by peer memory in time "
      "(UPSWEEP_PEER_TIMEOUT)");
}

std::string connect_peers(communicator const& comm, int gpu, double seconds) {
  auto& transfers = access::transfers(comm);
  std::unique_ptr<peer_communicator> made;
  // A GPU may lack memory for the window, which other transports do without.
  auto why_not = reason_of_all(comm, [&] {
    try {
      made = std::make_unique<peer_communicator>(*transfers.peer_memory, gpu, comm.rank(), comm.size(), seconds);
      return std::string();
    } catch (std::exception const& failure) {
      return std::string(failure.what());
    }
  });
  if (!why_not.empty()) {
    // No rank has opened the window of another one.
    if (made) made->free_alone();
    return why_not;
  }
  auto const reason = [&](peer_fault const& fault) {
    auto const text = reason_of_all(comm, [&] { return fault ? made->text(fault) : std::string(); });
    if (!text.empty()) close_peers(comm, *made);
    return text;
  };
  peer_handle handle{};
  why_not = reason(made->share(handle));
  if (!why_not.empty()) return why_not;
  static_assert(sizeof(handle) <= record_bytes);
  constexpr int bytes = static_cast<int>(sizeof(handle));
  std::byte* const handles = access::records(comm);
  check(comm, MPI_Allgather(handle.data(), bytes, MPI_BYTE, handles, bytes, MPI_BYTE, comm.get()), "MPI_Allgather");
  peer_fault fault;
  for (int r = 0; !fault && r < comm.size(); ++r) {
    if (r == comm.rank()) continue;
    std::memcpy(handle.data(), handles + static_cast<std::size_t>(r) * sizeof(handle), sizeof(handle));
    fault = made->open(r, handle);
  }
  why_not = reason(fault);
  if (why_not.empty()) transfers.peers = std::move(made);
  return why_not;
}

}  // namespace upsweep::mpi::detail
