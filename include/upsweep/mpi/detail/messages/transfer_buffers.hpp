// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/agree_and_scan/host_copy.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/detail/messages/transfer_cache.hpp>
#include <upsweep/mpi/detail/messages/transport.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace upsweep::mpi::detail {

/// The memory of a device through which rows travel: packed there, and unpacked. Grows and is kept, so that a halo
/// exchange of every time step allocates nothing. For one instance. reserve() and prepare() are local, may throw on one
/// rank, and belong inside all_or_none; run() then moves the rows without allocating.
template <class ExecutionSpace>
class transfer_buffers {
 public:
  /// Room for so many bytes in send() and receive(). Does not keep contents.
  void reserve(ExecutionSpace const& space, std::size_t send_bytes, std::size_t unpack_bytes) {
    grow(space, send_, send_bytes, "send");
    grow(space, receive_, unpack_bytes, "receive");
  }

  /// Where rows are packed, on the device.
  std::byte* send() const { return send_.data(); }
  /// Where rows arrive that cannot go straight to their place, on the device.
  std::byte* receive() const { return receive_.data(); }

  /// Makes ready what was packed; offsets and sizes of messages are in rows. Copies what stays on this rank to
  /// `target`, device memory, which run() gets too. `how` is the same on all ranks.
  void prepare(communicator const& comm, ExecutionSpace const& space, transfer const* how,
               std::vector<message> const& sends, std::vector<message> const& receives, std::size_t row_bytes,
               std::byte* target) {
    prepare_from(comm, space, how, send(), sends, receives, row_bytes, target);
  }
  /// The same of rows that lie behind `from`, device memory.
  void prepare_from(communicator const& comm, ExecutionSpace const& space, transfer const* how, std::byte const* from,
                    std::vector<message> const& sends, std::vector<message> const& receives, std::size_t row_bytes,
                    std::byte* target) {
    from_ = from;
    transport_.prepare(comm, space, how, sends, receives, row_bytes);
    copy_own(comm, space, target);
  }

  /// Sends what was prepared, once it has been packed, and writes what arrives behind `target`.
  void run(communicator const& comm, ExecutionSpace const& space, std::byte* target) {
    start(comm, space, target, true);
    finish(comm);
  }
  /// run() in two steps. In between, what the instance is given neither uses these buffers nor writes behind `target`;
  /// where it is given nothing, `alone` may save time.
  void start(communicator const& comm, ExecutionSpace const& space, std::byte* target, bool alone = false) {
    transport_.start(comm, space, from_, target, alone);
  }
  void finish(communicator const& comm) { transport_.finish(comm); }
  void abandon() noexcept { transport_.abandon(); }

 private:
  using device_memory = typename ExecutionSpace::memory_space;
  using device_bytes = Kokkos::View<std::byte*, device_memory, Kokkos::MemoryUnmanaged>;
  using device_const_bytes = Kokkos::View<std::byte const*, device_memory, Kokkos::MemoryUnmanaged>;

  /// Messages to oneself, in the order of both lists, do not leave the device.
  void copy_own(communicator const& comm, ExecutionSpace const& space, std::byte* target) const {
    auto to = transport_.receives().begin();
    auto const end = transport_.receives().end();
    for (auto const& m : transport_.sends()) {
      if (m.peer != comm.rank()) continue;
      to = std::find_if(to, end, [&](message const& r) { return r.peer == comm.rank(); });
      if (to == end) return;
      if (m.bytes > 0)
        Kokkos::deep_copy(space, device_bytes(target + to->first, m.bytes),
                          device_const_bytes(from_ + m.first, m.bytes));
      ++to;
    }
  }

  template <class MemorySpace>
  static void grow(ExecutionSpace const& space, Kokkos::View<std::byte*, MemorySpace>& buffer, std::size_t bytes,
                   char const* name) {
    if (buffer.extent(0) >= bytes) return;
    // Work in flight may still use the old memory.
    if (buffer.extent(0) > 0) space.fence("upsweep::mpi::grow");
    upsweep::internal::grow(space, buffer, bytes, "mpi", name);
  }

  Kokkos::View<std::byte*, device_memory> send_;
  Kokkos::View<std::byte*, device_memory> receive_;
  std::byte const* from_ = nullptr;
  transport<ExecutionSpace> transport_;  // destroyed first: messages in flight use the buffers
};

}  // namespace upsweep::mpi::detail
