// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <type_traits>

namespace upsweep::mpi::detail {

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

/// The number of the GPU behind an instance, as CUDA or HIP counts them in this process; 0 for others.
template <class ExecutionSpace>
int gpu_number([[maybe_unused]] ExecutionSpace const& space) {
  if constexpr (compat::is_cuda<ExecutionSpace>) return space.cuda_device();
  else if constexpr (compat::is_hip<ExecutionSpace>) return space.hip_device();
  else return 0;
}

/// Whether instances have a stream of CUDA or HIP.
template <class ExecutionSpace>
inline constexpr bool has_gpu_stream = compat::is_cuda<ExecutionSpace> || compat::is_hip<ExecutionSpace>;

/// The stream of an instance; null is CUDA's default one.
template <class ExecutionSpace>
  requires has_gpu_stream<ExecutionSpace>
void* gpu_stream(ExecutionSpace const& space) {
  if constexpr (compat::is_cuda<ExecutionSpace>) return space.cuda_stream();
  else return space.hip_stream();
}

}  // namespace upsweep::mpi::detail
