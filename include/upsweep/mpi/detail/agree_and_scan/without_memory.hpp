// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <new>
#include <string>

namespace upsweep::mpi::detail {

// Kokkos copies the names of kernels and fences, which takes memory. Once rows have moved, no rank may fail alone: what
// follows then runs under a name that needs none.

/// Kokkos::parallel_for that does not fail for lack of memory. The kernel may run twice.
template <class Policy, class Functor>
void launch_without_memory(char const* name, Policy const& policy, Functor const& functor) {
  try {
    Kokkos::parallel_for(name, policy, functor);
  } catch (std::bad_alloc const&) {
    Kokkos::parallel_for("upsweep", policy, functor);
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
