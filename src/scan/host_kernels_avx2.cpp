// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "host_kernel_tables.hpp"

#if defined(UPSWEEP_HOST_KERNELS) && defined(__x86_64__)

#include <immintrin.h>

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

// The target is set for what follows alone: a header's inline function compiled for it here could be the copy that the
// whole program runs.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#include "lanes_32.hpp"
#include "window_scan.hpp"

#include "head_words.hpp"
#include "segment_runs.hpp"
#include "segment_windows.hpp"

namespace upsweep::detail {

template <class T, host_operation Operation>
host_kernels<T> const& avx2_kernels() noexcept {
  return window_scan<T, lanes_32, Operation>::table;
}

template <class T, host_operation Operation>
T avx2_fold(T const* in, std::size_t n) noexcept {
  return window_scan<T, lanes_32, Operation>::fold(in, n);
}

template <class T, host_operation Operation>
segment_kernels<T> const& avx2_segment_kernels() noexcept {
  return segment_windows<T, lanes_32, Operation>::table;
}
template <class T>
segment_run_kernels<T> const& avx2_segment_run_kernels() noexcept {
  return segment_runs<T, segment_step_avx2>::table;
}
template <class Mark>
head_kernels<Mark> const& avx2_head_kernels() noexcept {
  return head_words<Mark, lanes_32>::table;
}

#define UPSWEEP_KERNELS(type, operation) \
  template host_kernels<type> const& avx2_kernels<type, host_operation::operation>() noexcept; \
  template type avx2_fold<type, host_operation::operation>(type const*, std::size_t) noexcept;
UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_KERNELS)

#define UPSWEEP_SEGMENT_KERNELS(type, operation) \
  template segment_kernels<type> const& avx2_segment_kernels<type, host_operation::operation>() noexcept;
#define UPSWEEP_SEGMENT_RUN_KERNELS(type) template segment_run_kernels<type> const& avx2_segment_run_kernels<type>() noexcept;
#define UPSWEEP_HEAD_KERNELS(type) template head_kernels<type> const& avx2_head_kernels<type>() noexcept;
UPSWEEP_FOR_EACH_SEGMENT_KERNEL(UPSWEEP_SEGMENT_KERNELS, UPSWEEP_SEGMENT_RUN_KERNELS, UPSWEEP_HEAD_KERNELS)

}  // namespace upsweep::detail

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
