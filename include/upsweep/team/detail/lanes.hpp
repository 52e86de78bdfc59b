// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstring>

// The hardware behind team::shuffle. Defined in the passes of a compiler that make code for CUDA or HIP devices.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define UPSWEEP_TEAM_HAS_LANES 1

namespace upsweep::team::detail {

/// Threads of a team in one warp. Kokkos puts the vector lanes of a thread beside each other in front of the next thread.
KOKKOS_INLINE_FUNCTION int lanes() {
#if defined(__CUDA_ARCH__)
  return 32 / static_cast<int>(blockDim.x);
#else
  return static_cast<int>(warpSize) / static_cast<int>(blockDim.x);
#endif
}

/// The value of the thread `distance` to the left in the same warp; the own value where there is none.
/// Called by all threads of a warp that exist: those of a last, partial warp count as gone and hold nobody up.
template <class T>
KOKKOS_INLINE_FUNCTION T from_lane_below(T const& value, int distance) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned packed[words] = {};
  memcpy(packed, &value, sizeof(T));
  unsigned const steps = static_cast<unsigned>(distance) * blockDim.x;
  UPSWEEP_UNROLL
  for (int w = 0; w < words; ++w) {
#if defined(__CUDA_ARCH__)
    packed[w] = __shfl_up_sync(0xffffffffu, packed[w], steps);
#else
    packed[w] = __shfl_up(packed[w], steps);
#endif
  }
  T moved = value;
  memcpy(&moved, packed, sizeof(T));
  return moved;
}

}  // namespace upsweep::team::detail
#endif
