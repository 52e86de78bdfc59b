// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/internal/cpu/instruction_set.hpp>

#if defined(UPSWEEP_CPU_KERNELS)

namespace upsweep::internal {

bool available(instruction_set which) noexcept {
  switch (which) {
    case instruction_set::portable: return true;
#if defined(__x86_64__)
    // With what their kernels use beside the vectors: a virtual machine may hide some of it.
    case instruction_set::avx2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
    case instruction_set::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#endif
    default: return false;
  }
}

instruction_set widest_instruction_set() noexcept {
  static instruction_set const widest = available(instruction_set::avx512) ? instruction_set::avx512
                                        : available(instruction_set::avx2) ? instruction_set::avx2
                                                                           : instruction_set::portable;
  return widest;
}

}  // namespace upsweep::internal

#endif
