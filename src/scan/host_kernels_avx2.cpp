// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "host_kernel_tables.hpp"

#include "../base/target.hpp"

#if defined(UPSWEEP_HOST_KERNELS) && defined(__x86_64__)

#include <immintrin.h>

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

UPSWEEP_TARGET("avx2")

#include "lanes_32.hpp"
#include "window_scan.hpp"

#include "head_words.hpp"
#include "segment_runs.hpp"
#include "segment_windows.hpp"

namespace upsweep::detail {

UPSWEEP_FOR_EACH_HOST_KERNEL(UPSWEEP_KERNELS_OF, lanes_32)
UPSWEEP_FOR_EACH_INTEGER_KERNEL(UPSWEEP_SEGMENT_KERNELS_OF, lanes_32)
UPSWEEP_FOR_EACH_MARK(UPSWEEP_HEAD_KERNELS_OF, lanes_32)
template segment_run_kernels<float> const& run_kernels<float>() noexcept;
template segment_run_kernels<double> const& run_kernels<double>() noexcept;

}  // namespace upsweep::detail

UPSWEEP_TARGET_END

#endif
