// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>

// The hardware behind team::shuffle. Defined in the passes of a compiler that make code for CUDA or HIP devices.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define UPSWEEP_TEAM_HAS_LANES 1

namespace upsweep::team::detail {

using hardware = upsweep::internal::lanes_of<Kokkos::DefaultExecutionSpace>;

/// Threads of a team in one warp. Kokkos puts the vector lanes of a thread beside each other in front of
/// the next thread.
KOKKOS_INLINE_FUNCTION int lanes() { return hardware::size / static_cast<int>(blockDim.x); }

/// The value of the thread `distance` to the left in the same warp; the own value where there is none.
/// Called by all threads of a warp that exist: those of a last, partial warp count as gone and delay no other.
template <class T>
KOKKOS_INLINE_FUNCTION T from_lane_below(T const& value, int distance) {
  return hardware::shuffle_up(value, distance * static_cast<int>(blockDim.x));
}

}  // namespace upsweep::team::detail
#endif
