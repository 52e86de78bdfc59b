// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../base/vectors/vectors.hpp"

#include <upsweep/scan/detail/cpu/cpu_segment_kernels.hpp>

#include <cstddef>
#include <cstdint>

// Calls X(type, operation, ...) for every operation on integers that is compiled, with what follows X in the call.
// clang-format off
#define UPSWEEP_FOR_EACH_INTEGER_KERNEL(X, ...)                                                                        \
  X(std::uint32_t, plus, __VA_ARGS__) X(std::uint64_t, plus, __VA_ARGS__)                                              \
  X(std::int32_t, min, __VA_ARGS__) X(std::int64_t, min, __VA_ARGS__) X(std::uint32_t, min, __VA_ARGS__)               \
  X(std::uint64_t, min, __VA_ARGS__) X(std::int32_t, max, __VA_ARGS__) X(std::int64_t, max, __VA_ARGS__)               \
  X(std::uint32_t, max, __VA_ARGS__) X(std::uint64_t, max, __VA_ARGS__)
// clang-format on

// The same for all operations.
#define UPSWEEP_FOR_EACH_HOST_KERNEL(X, ...) \
  UPSWEEP_FOR_EACH_INTEGER_KERNEL(X, __VA_ARGS__) X(float, plus, __VA_ARGS__) X(double, plus, __VA_ARGS__)

// X(type, ...) for every type of flags and keys.
#define UPSWEEP_FOR_EACH_MARK(X, ...) \
  X(std::uint8_t, __VA_ARGS__) X(std::uint32_t, __VA_ARGS__) X(std::uint64_t, __VA_ARGS__)

namespace upsweep::scan::detail {

// The kernels over vectors of one instruction set: instantiated in a file of its own, because the target is set there.
template <template <class> class Lanes, class T, cpu_operation Operation>
cpu_kernels<T> const& kernels_of() noexcept;
template <template <class> class Lanes, class T, cpu_operation Operation>
segment_kernels<T> const& segment_kernels_of() noexcept;
template <template <class> class Lanes, class Mark>
head_kernels<Mark> const& head_kernels_of() noexcept;
/// The fold of AVX2, for other instruction sets.
template <class T, cpu_operation Operation>
T avx2_fold(T const* in, std::size_t n) noexcept;

}  // namespace upsweep::scan::detail

#define UPSWEEP_KERNELS_OF(type, operation, lanes) \
  template cpu_kernels<type> const& kernels_of<lanes, type, cpu_operation::operation>() noexcept;
#define UPSWEEP_SEGMENT_KERNELS_OF(type, operation, lanes) \
  template segment_kernels<type> const& segment_kernels_of<lanes, type, cpu_operation::operation>() noexcept;
#define UPSWEEP_HEAD_KERNELS_OF(type, lanes) template head_kernels<type> const& head_kernels_of<lanes, type>() noexcept;

// All kernels over vectors of one instruction set that has those of heads.
#define UPSWEEP_ALL_KERNELS_OF(lanes)                             \
  UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_KERNELS_OF, lanes)         \
  UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_SEGMENT_KERNELS_OF, lanes) \
  UPSWEEP_FOR_EACH_MARK(UPSWEEP_HEAD_KERNELS_OF, lanes)
