// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "cpu_kernel_tables.hpp"

#if defined(UPSWEEP_CPU_KERNELS) && defined(__x86_64__)

#include "../base/vectors/x86_intrinsics.hpp"
#include "../base/vectors/target.hpp"
#include "../base/vectors/inline.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

UPSWEEP_TARGET("avx512f,avx512dq,avx512bw,avx512vl,bmi2,popcnt")

#include "../base/vectors/avx512.hpp"
#include "moves_avx512.hpp"
#include "row_network.hpp"

namespace upsweep::pack::detail {

UPSWEEP_MOVES_OF(moves_avx512)
UPSWEEP_ROWS_OF(internal::avx512)

}  // namespace upsweep::pack::detail

UPSWEEP_TARGET_END

#endif
