// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/exchange_bytes.hpp>
#include <upsweep/mpi/detail/host_copy.hpp>
#include <upsweep/mpi/detail/transfer_cache.hpp>

#include <string>

namespace upsweep::mpi {

namespace detail {

enum class device_kind { host, cuda, hip, other };

template <class MemorySpace>
constexpr device_kind device_kind_of() {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible) return device_kind::host;
#if defined(KOKKOS_ENABLE_CUDA)
  else if constexpr (std::is_same_v<MemorySpace, Kokkos::CudaSpace>) return device_kind::cuda;
#endif
#if defined(KOKKOS_ENABLE_HIP)
  else if constexpr (std::is_same_v<MemorySpace, Kokkos::HIPSpace>) return device_kind::hip;
#endif
  else return device_kind::other;
}

/// Whether to try device pointers: UPSWEEP_GPU_AWARE_MPI (0 or 1) where set, else what MPI answers. `reason` says
/// which.
bool wants_direct_transfer(device_kind kind, std::string& reason);

template <class View>
struct write_pattern {
  View data;
  int rank;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    data(i) = static_cast<std::byte>((i * 37 + static_cast<std::size_t>(rank) * 11) & 255u);
  }
};

/// A ring of device buffers: whether what the left neighbour wrote arrives.
template <class ExecutionSpace>
bool device_pointers_arrive(communicator const& comm, ExecutionSpace const& space) {
  using buffer = Kokkos::View<std::byte*, typename ExecutionSpace::memory_space>;
  static constexpr std::size_t bytes = 4096;
  int const left = (comm.rank() + comm.size() - 1) % comm.size();
  int const right = (comm.rank() + 1) % comm.size();
  buffer const sent = all_or_none(comm, [&] { return allocate<std::byte>(space, bytes, "gpu_aware", "sent"); });
  buffer const received = all_or_none(comm, [&] { return allocate<std::byte>(space, bytes, "gpu_aware", "received"); });
  auto const fill = [&](char const* name, buffer const& target, int rank) {
    Kokkos::parallel_for(name, range(space, bytes), write_pattern<buffer>{target, rank});
  };
  fill("upsweep::gpu_aware::write", sent, comm.rank());
  Kokkos::deep_copy(space, received, std::byte{0});
  space.fence("upsweep::gpu_aware::write");
  exchange_bytes(comm, {{right, 0, bytes}}, sent.data(), {{left, 0, bytes}}, received.data());
  fill("upsweep::gpu_aware::expect", sent, left);
  auto const a = to_host(space, sent);
  auto const b = to_host(space, received);
  return a == b;
}

/// True on all ranks when it is true on all.
bool true_everywhere(communicator const& comm, bool mine);

/// How the space's memory travels. The first call for a memory space is collective, later ones look it up.
template <class ExecutionSpace>
transfer const& transfer_of(communicator const& comm, ExecutionSpace const& space) {
  using memory_space = typename ExecutionSpace::memory_space;
  auto& known = comm.transfers().known;
  auto const at = known.find(memory_space::name());
  if (at != known.end()) return at->second;

  std::string const name = memory_space::name();
  transfer result;
  if constexpr (device_kind_of<memory_space>() == device_kind::host) {
    result = {true, name + ": MPI reads and writes it in place"};
  } else {
    std::string reason;
    bool wanted = false;
    all_or_none(comm, [&] { wanted = wants_direct_transfer(device_kind_of<memory_space>(), reason); });
    wanted = true_everywhere(comm, wanted);
    // One rank has nobody to send to; and a device pointer that MPI does not know is a crash, so it is tried only when
    // there is reason to believe in it.
    bool const works = wanted && comm.size() > 1 && true_everywhere(comm, device_pointers_arrive(comm, space));
    if (works) result = {true, name + ": device pointers go to MPI (" + reason + ", self-test passed)"};
    else
      result = {false, name + ": staged through pinned host memory (" + reason +
                           (wanted && comm.size() > 1 ? ", self-test failed)" : ")")};
  }
  return known.emplace(name, std::move(result)).first->second;
}

}  // namespace detail

/// Whether device memory of this execution space is handed to MPI as it is.
/// Asked at run time: UPSWEEP_GPU_AWARE_MPI=0 or 1 decides, else MPI's own query; a yes is checked by sending a small
/// device buffer around. Host-accessible memory is always true.
/// Sync: the first call for a communicator and memory space is collective.
/// Throws: precondition_error on all ranks when the variable is neither 0 nor 1.
template <class ExecutionSpace>
bool gpu_aware(communicator const& comm, ExecutionSpace const& space) {
  return detail::transfer_of(comm, space).direct;
}

/// The same for people: "Cuda: staged through pinned host memory (MPI says that it is not GPU-aware)".
template <class ExecutionSpace>
std::string describe_transfers(communicator const& comm, ExecutionSpace const& space) {
  return detail::transfer_of(comm, space).description;
}

}  // namespace upsweep::mpi
