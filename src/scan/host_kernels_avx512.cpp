// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "host_kernel_tables.hpp"

#include "../base/target.hpp"

#if defined(UPSWEEP_HOST_KERNELS) && defined(__x86_64__)

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 warns of the registers that its own intrinsics leave undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

UPSWEEP_TARGET("avx512f,avx512dq,avx512bw,avx512vl")

#include "lanes_64.hpp"
#include "window_scan.hpp"

#include "head_words.hpp"
#include "segment_windows.hpp"

namespace upsweep::detail {

UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_KERNELS_OF, lanes_64)
UPSWEEP_FOR_EACH_INTEGER_KERNEL(UPSWEEP_SEGMENT_KERNELS_OF, lanes_64)
UPSWEEP_FOR_EACH_MARK(UPSWEEP_HEAD_KERNELS_OF, lanes_64)

}  // namespace upsweep::detail

UPSWEEP_TARGET_END

#endif
