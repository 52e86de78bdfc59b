// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/memory/never_refused_bytes.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace upsweep {

namespace base::detail {

/// The bytes of host memory that this process can still use: free memory, memory that the system can reclaim, and free
/// swap, or less where a control group (a container, a batch job) sets a limit. The largest std::size_t where this is
/// not known: on systems other than Linux. `root` is put in front of the paths of the files that are read; tests have
/// files of their own.
std::size_t available_host_memory(std::string const& root = "");

/// Throws out_of_memory_error where `bytes` are more than what is available, or what is behind `freed` bytes.
void require_available(std::size_t bytes, std::size_t available, std::size_t freed, char const* function,
                       std::string const& what, char const* memory_space);

}  // namespace base::detail

/// The bytes that kernels of `space` can still allocate in its memory space: `if (bytes > available_memory(space)) ...`
///
/// CPUs: see available_host_memory. CUDA and HIP: the free memory of the device, with what is kept for later
/// allocations. The largest std::size_t where this is not known (other backends, managed memory). Memory that the
/// system can give back counts as far as it says so. Others can take memory at any time: an allocation of less
/// can still fail.
/// Cost: CPUs read some files of the system, about 0.1 ms; GPUs ask the driver.
/// Sync: none.
template <class ExecutionSpace>
std::size_t available_memory(ExecutionSpace const& space) {
  static_assert(Kokkos::is_execution_space_v<ExecutionSpace>,
                "upsweep: the first argument is an execution-space instance.");
  if constexpr (std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::HostSpace>)
    return base::detail::available_host_memory();
  else return compat::free_device_memory(space);
}

/// Throws out_of_memory_error if `bytes` are more than what is available, before any of them is used:
/// `require_memory(space, bytes, "neighbor_list", "the list")`. Less than 64 MiB is always granted, without a look at
/// the system. freed: bytes that the caller gives back first.
///
/// Throws: out_of_memory_error that names function, what is stored, the bytes wanted and the bytes found.
template <class ExecutionSpace>
void require_memory(ExecutionSpace const& space, std::size_t bytes, char const* function, std::string const& what,
                    std::size_t freed = 0) {
  if (bytes < internal::never_refused_bytes) return;
  base::detail::require_available(bytes, available_memory(space), freed, function, what,
                                  ExecutionSpace::memory_space::name());
}

}  // namespace upsweep
