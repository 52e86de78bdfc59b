// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// Positions of a View, and how many there are.
template <class Real>
struct given_positions {
  strided_positions<Real> positions;
  std::int64_t n;
};

/// Positions as a caller gives them. A wrong type is named in a sentence, and no code behind it is compiled for that
/// type. Throws precondition_error, in the name of `function`, where they are no View (n, 3).
template <class ExecutionSpace, class Real, class Positions>
given_positions<Real> positions_of([[maybe_unused]] Positions const& positions, [[maybe_unused]] char const* function) {
  if constexpr (!Kokkos::is_view_v<Positions>) {
    static_assert(Kokkos::is_view_v<Positions>, "upsweep: positions from a functor need their number, too.");
  } else if constexpr (compat::rank<Positions> != 2) {
    static_assert(compat::rank<Positions> == 2, "upsweep: positions is a View (n, 3).");
  } else if constexpr (!std::is_same_v<typename Positions::non_const_value_type, Real>) {
    static_assert(std::is_same_v<typename Positions::non_const_value_type, Real>,
                  "upsweep: positions and box are of one floating-point type.");
  } else {
    static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Positions::memory_space>::accessible,
                  "upsweep: positions cannot be reached by kernels of this execution space.");
    internal::require(positions.extent(1) == 3, function,
                      [&] { return "positions has " + std::to_string(positions.extent(1)) + " columns; it needs 3"; });
    return {make_positions(positions), static_cast<std::int64_t>(positions.extent(0))};
  }
  return {};
}

}  // namespace upsweep::neighbors::detail
