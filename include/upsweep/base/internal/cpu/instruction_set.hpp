// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Macros.hpp>

// Host code that a GPU's compiler compiles, too, gets no vectors: such builds have plain loops on the host.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP) && \
    !defined(KOKKOS_ENABLE_SYCL) && !defined(KOKKOS_ENABLE_OPENMPTARGET) && !defined(KOKKOS_ENABLE_OPENACC)
#define UPSWEEP_CPU_KERNELS
#endif

// Ends the declaration of a function that is compiled in src where there are such kernels; elsewhere it returns null.
#if defined(UPSWEEP_CPU_KERNELS)
#define UPSWEEP_NULL_WITHOUT_CPU_KERNELS ;
#else
#define UPSWEEP_NULL_WITHOUT_CPU_KERNELS \
  {                                      \
    return nullptr;                      \
  }
#endif

namespace upsweep::internal {

/// What the compiled kernels use. `portable` is SSE2 on x86-64.
enum class instruction_set { portable, avx2, avx512 };

/// Whether this processor and this build have it.
bool available(instruction_set which) noexcept;

/// The widest one that is available.
#if defined(UPSWEEP_CPU_KERNELS)
instruction_set widest_instruction_set() noexcept;
#else
inline instruction_set widest_instruction_set() noexcept { return instruction_set::portable; }
#endif

}  // namespace upsweep::internal
