// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

namespace upsweep::neighbors::detail {

/// Whether there is a builder with masks for an execution space.
template <class ExecutionSpace>
inline constexpr bool has_mask_builder =
    compat::launches_wait<ExecutionSpace> || compat::has_warps_of_32<ExecutionSpace>;

}  // namespace upsweep::neighbors::detail
