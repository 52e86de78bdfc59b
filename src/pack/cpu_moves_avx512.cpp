// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "cpu_kernel_tables.hpp"

#if defined(UPSWEEP_CPU_KERNELS) && defined(__x86_64__)

#include "../base/vectors/x86_intrinsics.hpp"
#include "../base/vectors/target.hpp"
#include "../base/vectors/inline.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

UPSWEEP_TARGET("avx512f,avx512dq,avx512bw,avx512vl,bmi2,popcnt")

#include "moves_avx512.hpp"

namespace upsweep::pack::detail {

UPSWEEP_MOVES_OF(moves_avx512)

}  // namespace upsweep::pack::detail

UPSWEEP_TARGET_END

#endif
