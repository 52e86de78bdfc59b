// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/cpu/mask_passes_cpu.hpp>
#if defined(UPSWEEP_HAS_GPU)
#include <upsweep/neighbors/detail/masks/gpu/mask_passes_gpu.hpp>
#endif

#include <type_traits>

namespace upsweep::neighbors::detail {

/// The passes of the fast builder for an execution space.
#if defined(UPSWEEP_HAS_GPU)
template <class ExecutionSpace, class Real, class Systems>
using mask_passes =
    std::conditional_t<compat::launches_wait<ExecutionSpace>, mask_passes_cpu<ExecutionSpace, Real, Systems>,
                       mask_passes_gpu<ExecutionSpace, Real, Systems>>;
#else
template <class ExecutionSpace, class Real, class Systems>
using mask_passes = mask_passes_cpu<ExecutionSpace, Real, Systems>;
#endif

}  // namespace upsweep::neighbors::detail
