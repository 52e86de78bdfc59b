// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/host_segment_kernels.hpp>

// Calls X(type, operation) for every kernel that is compiled.
#define UPSWEEP_FOR_EACH_HOST_KERNEL(X)                                                                      \
  X(std::uint32_t, plus)                                                                                     \
  X(std::uint64_t, plus) X(float, plus) X(double, plus) X(std::int32_t, min) X(std::int64_t, min)            \
  X(std::uint32_t, min) X(std::uint64_t, min) X(std::int32_t, max) X(std::int64_t, max) X(std::uint32_t, max) \
  X(std::uint64_t, max)

// The same for segmented scans: X(type, operation) of integers, Y(type) of floating-point numbers, Z(type) of flags and keys.
#define UPSWEEP_FOR_EACH_SEGMENT_KERNEL(X, Y, Z)                                                                  \
  X(std::uint32_t, plus)                                                                                          \
  X(std::uint64_t, plus) X(std::int32_t, min) X(std::int64_t, min) X(std::uint32_t, min) X(std::uint64_t, min)    \
  X(std::int32_t, max) X(std::int64_t, max) X(std::uint32_t, max) X(std::uint64_t, max) Y(float) Y(double)        \
  Z(std::uint8_t) Z(std::uint32_t) Z(std::uint64_t)

namespace upsweep::detail {

// One file each, where the target is an instruction set's.
template <class T, host_operation Operation>
host_kernels<T> const& portable_kernels() noexcept;
#if defined(__x86_64__)
template <class T, host_operation Operation>
host_kernels<T> const& avx2_kernels() noexcept;
template <class T, host_operation Operation>
T avx2_fold(T const* in, std::size_t n) noexcept;
template <class T, host_operation Operation>
host_kernels<T> const& avx512_kernels() noexcept;
template <class T, host_operation Operation>
segment_kernels<T> const& avx2_segment_kernels() noexcept;
template <class T, host_operation Operation>
segment_kernels<T> const& avx512_segment_kernels() noexcept;
template <class T>
segment_run_kernels<T> const& avx2_segment_run_kernels() noexcept;
template <class T>
segment_run_kernels<T> const& avx512_segment_run_kernels() noexcept;
template <class Mark>
head_kernels<Mark> const& avx2_head_kernels() noexcept;
template <class Mark>
head_kernels<Mark> const& avx512_head_kernels() noexcept;
#endif

}  // namespace upsweep::detail
