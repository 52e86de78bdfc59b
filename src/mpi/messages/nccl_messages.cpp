// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/messages/gpu_records.hpp>
#include <upsweep/mpi/detail/messages/nccl_messages.hpp>
#include <upsweep/mpi/detail/messages/transfer_cache.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <thread>
#include <utility>

namespace upsweep::mpi::detail {

namespace {

enum gpu_state : std::int32_t { good, no_library, other_memory, no_gpu };

gpu_record own_record(nccl_library* library, device_kind kind, int gpu) noexcept {
  gpu_record mine{{}, good};
  if (library == nullptr) mine.state = no_library;
  else if (library->kind() != kind) mine.state = other_memory;
  else if (library->find_gpu(gpu, mine.gpu) != nccl_success) mine.state = no_gpu;
  return mine;
}

std::string describe(std::vector<gpu_record> const& of_ranks) {
  for (std::size_t r = 0; r < of_ranks.size(); ++r) {
    std::string const rank = std::to_string(r);
    switch (of_ranks[r].state) {
      case no_library:
        return "Upsweep was built without NCCL and RCCL on rank " + rank + " (CMake: Upsweep_ENABLE_NCCL, NCCL_ROOT)";
      case other_memory: return "NCCL or RCCL cannot have this memory on rank " + rank;
      case no_gpu: return "the GPU of rank " + rank + " has no UUID";
      default: break;
    }
  }
  auto const shared = shared_gpu(of_ranks);
  return shared.empty() ? shared : shared + ", and NCCL needs one for each rank";
}

}  // namespace

template <class Query>
nccl_failure nccl_communicator::wait(char const* call, Query const& query) const noexcept {
  auto const begin = std::chrono::steady_clock::now();
  for (;;) {
    int const code = query();
    if (code == nccl_success) return {};
    if (code != nccl_in_progress) return {call, code};
    std::chrono::duration<double> const waited = std::chrono::steady_clock::now() - begin;
    if (waited.count() > seconds_) return {call, nccl_in_progress};
    std::this_thread::yield();
  }
}

template <class F>
nccl_failure nccl_communicator::in_background(char const* call, F f) noexcept {
  enum stage : int { running, done, abandoned };
  struct shared_state {
    std::atomic<int> at = running;
    nccl_failure result;
    std::unique_ptr<nccl_link> link;  ///< once abandoned
  };
  auto const ends_as = [](std::atomic<int>& at, int end) {
    int expected = running;
    return at.compare_exchange_strong(expected, end, std::memory_order_acq_rel);
  };
  try {
    auto const state = std::make_shared<shared_state>();
    std::thread thread([state, link = link_.get(), ends_as, f = std::move(f)] {
      link->enter_thread();
      state->result = f(*link);
      if (ends_as(state->at, done)) return;
      state->link->abort();
      state->link.reset();
    });
    auto const late =
        wait(call, [&] { return state->at.load(std::memory_order_acquire) == done ? nccl_success : nccl_in_progress; });
    if (late) {
      state->link = std::move(link_);
      if (ends_as(state->at, abandoned)) {
        thread.detach();
        return late;
      }
      link_ = std::move(state->link);  // done at the last moment
    }
    thread.join();
    return state->result;
  } catch (std::exception const&) {  // there is no memory, or no thread
    return {call, nccl_system_error};
  }
}

namespace {

/// The result of a call that may go on in the background.
nccl_failure failure_of(char const* call, int code) noexcept {
  return code == nccl_success || code == nccl_in_progress ? nccl_failure{} : nccl_failure{call, code};
}

bool travels(int self, message const& m) { return m.peer != self && m.bytes > 0; }

/// The messages as one group.
nccl_failure launch(nccl_link& link, int self, std::vector<message> const& sends, std::vector<message> const& receives,
                    std::byte const* from, std::byte* to) noexcept {
  nccl_failure first;
  auto const call = [&](char const* name, int code) {
    if (!first) first = failure_of(name, code);
  };
  call("ncclGroupStart", link.begin());
  if (first) return first;
  for (auto const& m : receives)
    if (travels(self, m)) call("ncclRecv", link.receive(to + m.first, m.bytes, m.peer));
  for (auto const& m : sends)
    if (travels(self, m)) call("ncclSend", link.send(from + m.first, m.bytes, m.peer));
  call("ncclGroupEnd", link.end());
  return first;
}

constexpr char const* end_of_group = "ncclGroupEnd";

}  // namespace

nccl_failure nccl_communicator::join(nccl_id const& id, int rank, int size) noexcept {
  static constexpr char const* call = "ncclCommInitRankConfig";
  auto const failure =
      in_background(call, [id, rank, size](nccl_link& link) { return failure_of(call, link.join(id, rank, size)); });
  return failure ? failure : wait(call, [&] { return link_->state(); });
}

void nccl_communicator::find_new_peers(int self, std::vector<message> const& messages, std::vector<bool>& known,
                                       std::vector<int>& new_peers) noexcept {
  new_peers.clear();
  for (auto const& m : messages) {
    auto const peer = static_cast<std::size_t>(m.peer);
    if (!travels(self, m) || known[peer]) continue;
    known[peer] = true;
    new_peers.push_back(m.peer);
  }
}

nccl_failure nccl_communicator::connect() noexcept {
  // What is in flight ends first, since nobody could end it while the thread has the link.
  if (auto const failure = finish(last_)) return failure;
  try {
    std::vector<message> sends, receives;
    for (int const peer : new_targets_) sends.push_back({peer, known_sources_.size(), 1});
    for (int const peer : new_sources_) receives.push_back({peer, static_cast<std::size_t>(peer), 1});
    auto const failure = in_background(end_of_group, [sends, receives](nccl_link& link) {
      return launch(link, exchange::nobody, sends, receives, link.first_bytes(), link.first_bytes());
    });
    if (failure) return failure;
  } catch (std::bad_alloc const&) {
    return {end_of_group, nccl_system_error};
  }
  if (auto const failure = put_marker()) return failure;
  return finish(last_);
}

nccl_failure nccl_communicator::put_marker() noexcept {
  if (auto const failure = wait(end_of_group, [&] { return link_->state(); })) return failure;
  last_ = (last_ + 1) % nccl_markers;
  return failure_of("a marker of its messages", link_->mark(last_));
}

nccl_failure nccl_communicator::start(int self, std::vector<message> const& sends, std::vector<message> const& receives,
                                      std::byte const* from, std::byte* to, int& marker) noexcept {
  marker = last_;
  auto const any = [&](auto const& list) {
    return std::any_of(list.begin(), list.end(), [&](message const& m) { return travels(self, m); });
  };
  if (!any(sends) && !any(receives)) return {};
  find_new_peers(self, sends, known_targets_, new_targets_);
  find_new_peers(self, receives, known_sources_, new_sources_);
  if (!new_targets_.empty() || !new_sources_.empty())
    if (auto const failure = connect()) return failure;
  if (auto const failure = launch(*link_, self, sends, receives, from, to)) return failure;
  auto const failure = put_marker();
  marker = last_;
  return failure;
}

nccl_failure nccl_communicator::finish(int marker) noexcept {
  return wait("ncclSend and ncclRecv", [&] {
    int const code = link_->state();
    return code == nccl_success ? link_->messages_state(marker) : code;
  });
}

void nccl_communicator::close() noexcept {
  static constexpr char const* call = "ncclCommFinalize";
  if (!link_) return;
  auto failure = in_background(call, [](nccl_link& link) { return failure_of(call, link.close()); });
  if (!failure) failure = wait(call, [&] { return link_->state(); });
  if (failure) abort();
  link_.reset();
}

void nccl_communicator::abort() noexcept {
  if (link_) link_->abort();
  link_.reset();
}

std::string nccl_communicator::text(nccl_failure const& failure) const {
  if (failure.code != nccl_in_progress)
    return library_.name() + ", " + failure.call + ": " + library_.text(failure.code);
  return library_.name() + ", " + failure.call + ": another rank did not answer in " +
         std::to_string(static_cast<long long>(seconds_)) + " s (UPSWEEP_NCCL_TIMEOUT)";
}

namespace {

[[noreturn]] void fail(communicator const& comm, nccl_failure const& failure) {
  mark_failed(comm, "NCCL");
  auto& nccl = *access::transfers(comm).nccl;
  nccl.abort();
  throw communication_error("mpi::exchange: " + nccl.text(failure));
}

}  // namespace

void nccl_messages::reserve(std::size_t messages, std::size_t, std::size_t) {
  sends_.reserve(messages);
  receives_.reserve(messages);
}

void nccl_messages::prepare(communicator const&, std::vector<message> const& sends,
                            std::vector<message> const& receives) {
  sends_ = sends;
  receives_ = receives;
}

bool nccl_messages::follow(communicator const& comm, void* stream, bool) noexcept {
  auto const& nccl = access::transfers(comm).nccl;
  return nccl && nccl->follow(stream);
}

void nccl_messages::start(communicator const& comm, std::byte const* from, std::byte* to) {
  abandon();
  static_cast<void>(comm.get());
  auto& nccl = *access::transfers(comm).nccl;
  if (auto const failure = nccl.start(comm.rank(), sends_, receives_, from, to, marker_)) fail(comm, failure);
  comm_ = comm;
}

void nccl_messages::finish(communicator const& comm) {
  static_cast<void>(comm.get());
  if (!comm_) return;
  comm_.reset();
  if (auto const failure = access::transfers(comm).nccl->finish(marker_)) fail(comm, failure);
}

void nccl_messages::abandon() noexcept {
  int finalized = 1;
  if (!comm_ || MPI_Finalized(&finalized) != MPI_SUCCESS || finalized) return;
  auto& nccl = *access::transfers(*comm_).nccl;
  // The messages of a communicator that has failed end with it, for which nobody waits.
  if (!comm_->is_usable()) nccl.abort();
  else if (nccl.finish(marker_)) {
    mark_failed(*comm_, "NCCL");
    nccl.abort();
  }
  comm_.reset();
}

std::string why_not_nccl(communicator const& comm, device_kind kind, int gpu) {
  auto const of_ranks = gather_records(comm, own_record(access::transfers(comm).library, kind, gpu));
  return all_or_none(comm, [&] { return describe(of_ranks); });
}

std::string reason_of_all(communicator const& comm, nccl_communicator const& nccl, nccl_failure const& failure,
                          char const* otherwise) {
  return reason_of_all(comm, [&] {
    return failure ? nccl.text(failure) : otherwise != nullptr ? std::string(otherwise) : std::string();
  });
}

std::string connect_nccl(communicator const& comm, int gpu, double seconds) {
  auto& library = *access::transfers(comm).library;
  auto made =
      all_or_none(comm, [&] { return std::make_unique<nccl_communicator>(library, gpu, seconds, comm.size()); });
  nccl_id id{};
  int code = comm.rank() == 0 ? library.make_id(id) : nccl_success;
  check(comm, MPI_Bcast(&code, 1, MPI_INT, 0, comm.get()), "MPI_Bcast");
  check(comm, MPI_Bcast(id.data(), static_cast<int>(id.size()), MPI_BYTE, 0, comm.get()), "MPI_Bcast");
  nccl_failure failure{"ncclGetUniqueId", code};
  if (code == nccl_success) failure = made->join(id, comm.rank(), comm.size());
  auto why_not = reason_of_all(comm, *made, failure, nullptr);
  if (why_not.empty()) access::transfers(comm).nccl = std::move(made);
  return why_not;
}

}  // namespace upsweep::mpi::detail
