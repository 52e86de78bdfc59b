// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/allocate.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/exchange_bytes.hpp>
#include <upsweep/mpi/detail/host_copy.hpp>
#include <upsweep/mpi/detail/without_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace upsweep::mpi::detail {

#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
using staging_space = Kokkos::SharedHostPinnedSpace;
#else
using staging_space = Kokkos::HostSpace;
#endif

/// The memory through which rows travel: packed on the device, then handed to MPI as it is or through the host. Grows
/// and is kept, so that a halo exchange of every time step allocates nothing. For one instance. reserve() and prepare()
/// are local, may throw on one rank, and belong inside all_or_none; run() then moves the rows without allocating.
template <class ExecutionSpace>
class transfer_buffers {
 public:
  /// Room for so many bytes out and in, `unpack_bytes` of them in receive(). `direct`: MPI gets device pointers; the
  /// same on all ranks. Does not keep contents.
  void reserve(ExecutionSpace const& space, bool direct, std::size_t send_bytes, std::size_t receive_bytes,
               std::size_t unpack_bytes) {
    direct_ = direct;
    grow(space, send_, send_bytes, "send");
    grow(space, receive_, unpack_bytes, "receive");
    if (direct) return;
    grow(space, staged_send_, send_bytes, "staged_send");
    grow(space, staged_receive_, receive_bytes, "staged_receive");
  }

  /// Where rows are packed, on the device.
  std::byte* send() const { return send_.data(); }
  /// Where rows arrive that cannot go straight to their place, on the device.
  std::byte* receive() const { return receive_.data(); }

  /// Makes ready what was packed; offsets and sizes of messages are in rows. Copies what stays on this rank to
  /// `target`, device memory, which run() gets too.
  void prepare(communicator const& comm, ExecutionSpace const& space, std::vector<message> const& sends,
               std::vector<message> const& receives, std::size_t row_bytes, std::byte* target) {
    exchange_.prepare(comm.rank(), sends, receives, row_bytes);
    copy_own(comm, space, target);
    if (direct_) return;
    for (auto const& m : exchange_.sends())
      if (m.peer != comm.rank() && m.bytes > 0)
        Kokkos::deep_copy(space, host_bytes(staged_send_.data() + m.first, m.bytes),
                          device_bytes(send_.data() + m.first, m.bytes));
  }

  /// Sends what was prepared and writes what arrives behind `target`. Waits for the packing; the last copies to
  /// `target` may still be in flight on the instance afterwards.
  void run(communicator const& comm, ExecutionSpace const& space, std::byte* target) {
    start(comm, space, target);
    finish(comm, space, target);
  }
  /// run() in two steps. In between, what the instance is given neither uses these buffers nor writes behind `target`.
  void start(communicator const& comm, ExecutionSpace const& space, std::byte* target) {
    fence_without_memory(space, "upsweep::mpi::exchange");
    if (direct_) exchange_.start(comm, send_.data(), target);
    else exchange_.start(comm, staged_send_.data(), staged_receive_.data());
  }
  void abandon() noexcept { exchange_.abandon(); }
  void finish(communicator const& comm, ExecutionSpace const& space, std::byte* target) {
    exchange_.finish(comm);
    if (direct_) return;
    // Kokkos may allocate in a copy, so ranks agree on these.
    all_or_none(comm, [&] {
      for (auto const& m : exchange_.receives())
        if (m.peer != comm.rank() && m.bytes > 0)
          Kokkos::deep_copy(space, device_bytes(target + m.first, m.bytes),
                            host_bytes(staged_receive_.data() + m.first, m.bytes));
    });
  }

 private:
  using device_memory = typename ExecutionSpace::memory_space;
  using device_bytes = Kokkos::View<std::byte*, device_memory, Kokkos::MemoryUnmanaged>;
  using host_bytes = Kokkos::View<std::byte*, staging_space, Kokkos::MemoryUnmanaged>;

  /// Messages to oneself, in the order of both lists, do not leave the device.
  void copy_own(communicator const& comm, ExecutionSpace const& space, std::byte* target) const {
    auto to = exchange_.receives().begin();
    auto const end = exchange_.receives().end();
    for (auto const& m : exchange_.sends()) {
      if (m.peer != comm.rank()) continue;
      to = std::find_if(to, end, [&](message const& r) { return r.peer == comm.rank(); });
      if (to == end) return;
      if (m.bytes > 0)
        Kokkos::deep_copy(space, device_bytes(target + to->first, m.bytes),
                          device_bytes(send_.data() + m.first, m.bytes));
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

  bool direct_ = true;
  exchange exchange_;
  Kokkos::View<std::byte*, device_memory> send_;
  Kokkos::View<std::byte*, device_memory> receive_;
  Kokkos::View<std::byte*, staging_space> staged_send_;
  Kokkos::View<std::byte*, staging_space> staged_receive_;
};

}  // namespace upsweep::mpi::detail
