// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The engines of GPUs. A compiler reads their kernels only where Kokkos has a GPU backend.

#include <upsweep/base/kokkos_compat.hpp>
#if defined(UPSWEEP_HAS_GPU)
#include <upsweep/scan/detail/one_pass/warp_look_back.hpp>
#include <upsweep/scan/detail/persistent/pipelined.hpp>
#include <upsweep/scan/detail/tiles/segmented_tile.hpp>
#endif

namespace upsweep::scan::detail {

struct warp_look_back_engine;
struct pipelined_engine;

/// Whether warp_look_back_engine runs on a backend.
template <class ExecutionSpace>
inline constexpr bool has_warp_look_back = compat::has_warps<ExecutionSpace>;

/// Whether pipelined_engine runs a problem on a backend.
template <class ExecutionSpace, class Problem>
constexpr bool takes_pipelined() {
#if defined(UPSWEEP_HAS_GPU)
  return pipelined_engine::takes<ExecutionSpace, Problem>();
#else
  return false;
#endif
}

/// Whether a backend's tiles find the segments of a problem by themselves (segmented_tile.hpp).
template <class ExecutionSpace, class Problem>
constexpr bool has_segmented_tiles() {
#if defined(UPSWEEP_HAS_GPU)
  return has_warp_look_back<ExecutionSpace> && takes_segmented_tile<Problem>::value;
#else
  return false;
#endif
}

}  // namespace upsweep::scan::detail
