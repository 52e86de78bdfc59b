// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <string>

namespace upsweep::neighbors::detail {

/// Throws precondition_error, in the name of `function`, where positions are no View (n, 3).
template <class ExecutionSpace, class Positions>
void require_columns(Positions const& positions, char const* function) {
  static_assert(Kokkos::is_view_v<Positions>,
                "upsweep::neighbor_list: positions from a functor need their number, too.");
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Positions::memory_space>::accessible,
                "upsweep::neighbor_list: positions cannot be reached by kernels of this execution space.");
  internal::require(positions.extent(1) == 3, function,
                    "positions has " + std::to_string(positions.extent(1)) + " columns; it needs 3");
}

}  // namespace upsweep::neighbors::detail
