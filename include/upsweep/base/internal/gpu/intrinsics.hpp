// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Macros.hpp>

#include <cstdint>

// What CUDA's compiler has to be asked for by name, and what is done elsewhere.

namespace upsweep::internal {

/// The word, a bit further up, with the sign of a value below: one instruction on CUDA.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t append_sign(std::uint32_t word, float value) {
  auto const bits = Kokkos::bit_cast<std::uint32_t>(value);
#if defined(__CUDA_ARCH__)
  return __funnelshift_l(bits, word, 1);
#else
  return word << 1 | bits >> 31;
#endif
}

/// Says that a pointer that comes from scratch leads to global memory: CUDA's compiler else asks for each access which
/// memory it is, and keeps accesses of scratch behind it.
KOKKOS_FORCEINLINE_FUNCTION void assume_global([[maybe_unused]] void const* at) {
#if defined(__CUDA_ARCH__)
  __builtin_assume(__isGlobal(at));
#endif
}

}  // namespace upsweep::internal
