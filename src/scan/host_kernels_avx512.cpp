// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "host_kernel_tables.hpp"

#if defined(UPSWEEP_HOST_KERNELS) && defined(__x86_64__)

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 warns of the registers that its own intrinsics leave undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include <cstddef>
#include <limits>
#include <type_traits>

// The target is set for what follows alone: a header's inline function compiled for it here could be the copy that the
// whole program runs.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl")
#endif

#include "lanes_64.hpp"
#include "window_scan.hpp"

namespace upsweep::detail {

template <class T, host_operation Operation>
host_kernels<T> const& avx512_kernels() noexcept {
  return window_scan<T, lanes_64, Operation>::table;
}

#define UPSWEEP_KERNELS(type, operation) \
  template host_kernels<type> const& avx512_kernels<type, host_operation::operation>() noexcept;
UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_KERNELS)

}  // namespace upsweep::detail

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
