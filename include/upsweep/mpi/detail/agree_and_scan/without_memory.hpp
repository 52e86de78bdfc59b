// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <new>
#include <string>

namespace upsweep::mpi::detail {

// Kokkos copies the names of kernels and fences, which takes memory. Once rows have moved, no rank may fail alone: what
// follows then runs under a name that needs none.

/// Calls kernel(i) for i from 0 to count - 1, as for_each_index, and does not fail for lack of memory: of a launch the
/// name alone takes any (a tool of Kokkos' may take more). On GPUs the kernel may run twice.
template <class ExecutionSpace, class Kernel>
void launch_without_memory(ExecutionSpace const& space, char const* name, std::size_t count, Kernel const& kernel) {
  if constexpr (compat::is_gpu<ExecutionSpace>) {
    try {
      upsweep::internal::for_each_index(space, name, count, kernel);
    } catch (std::bad_alloc const&) {
      upsweep::internal::for_each_index(space, "upsweep", count, kernel);
    }
  } else {
    auto const label = [name] {
      try {
        return std::string(name);
      } catch (std::bad_alloc const&) {
        return std::string("upsweep");
      }
    };
    upsweep::internal::for_each_index(space, label, count, kernel);
  }
}

/// The same for waiting.
template <class ExecutionSpace>
void fence_without_memory(ExecutionSpace const& space, char const* name) {
  try {
    space.fence(name);
  } catch (std::bad_alloc const&) {
    space.fence("upsweep");
  }
}

}  // namespace upsweep::mpi::detail
