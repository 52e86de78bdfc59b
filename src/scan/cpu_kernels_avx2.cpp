// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "cpu_kernel_tables.hpp"

#include "../base/vectors/target.hpp"

#if defined(UPSWEEP_CPU_KERNELS) && defined(__x86_64__)

#include "../base/vectors/x86_intrinsics.hpp"

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

UPSWEEP_TARGET("avx2")

#include "../base/vectors/avx2.hpp"
#include "window_scan.hpp"

#include "head_words.hpp"
#include "segment_windows.hpp"

namespace upsweep::scan::detail {

template <class T, cpu_operation Operation>
T avx2_fold(T const* in, std::size_t n) noexcept {
  return window_scan<T, internal::avx2, Operation>::fold(in, n);
}
#define UPSWEEP_FOLD(type, operation, ...) \
  template type avx2_fold<type, cpu_operation::operation>(type const*, std::size_t) noexcept;
UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_FOLD)

UPSWEEP_ALL_KERNELS_OF(internal::avx2)

}  // namespace upsweep::scan::detail

UPSWEEP_TARGET_END

#endif
