// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "cpu_kernel_tables.hpp"

#include "../base/vectors/x86_intrinsics.hpp"
#include "../base/vectors/target.hpp"

#if defined(UPSWEEP_CPU_KERNELS) && defined(__x86_64__)

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

UPSWEEP_TARGET("avx512f,avx512dq,avx512bw,avx512vl")

#include "../base/vectors/avx512.hpp"
#include "window_scan.hpp"

#include "head_words.hpp"
#include "segment_windows.hpp"

namespace upsweep::scan::detail {

/// Folds with AVX2 what may come from memory: loads of whole lines are slower there. 16 MB of doubles on one thread of
/// an AMD EPYC 9004, us: 717 with 64-byte loads, 628 with 32-byte loads, 621 std::reduce of as many int64. Out of the
/// caches whole lines are faster: 2^12 / 2^14 / 2^17 int64 on a Xeon (Sapphire Rapids), 2026-11-23, us: 0.11 / 0.69 /
/// 6.0 for 0.14 / 0.84 / 7.2. 2, 4 and 8 streams far from each other are no faster than one, and prefetches of lines
/// ahead make it slower: 1.02 / 1.09 for 2^14.
template <class T, cpu_operation Operation>
inline constexpr cpu_kernels<T> table_of<T, internal::avx512, Operation> = [] {
  cpu_kernels<T> kernels = window_scan<T, internal::avx512, Operation>::table;
  kernels.fold = avx2_fold<T, Operation>;
  return kernels;
}();

UPSWEEP_ALL_KERNELS_OF(internal::avx512)

}  // namespace upsweep::scan::detail

UPSWEEP_TARGET_END

#endif
