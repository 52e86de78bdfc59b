// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <type_traits>

namespace upsweep::neighbors::detail {

/// Whether the library has compiled what builds lists and finds pairs, for an execution space and a type of positions.
template <class ExecutionSpace, class Real>
inline constexpr bool is_in_library = std::is_same_v<ExecutionSpace, Kokkos::DefaultExecutionSpace> &&
                                      (std::is_same_v<Real, float> || std::is_same_v<Real, double>);

}  // namespace upsweep::neighbors::detail
