// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/bricks/positions.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/internal/wrap_in_place.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::mpi::detail {

using upsweep::internal::no_crossings;
using upsweep::internal::overflow_of;

/// A particle that cannot migrate: its position has no place, or its crossings cannot be counted.
template <class Positions, class Crossings, class Real>
struct cannot_migrate {
  Positions positions;
  Crossings crossings;
  upsweep::box<Real> box;

  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    if (has_no_place<Positions, Real>{positions, box}(i)) return true;
    if constexpr (std::is_same_v<Crossings, no_crossings>) return false;
    else
      return static_cast<bool>(overflow_of(box, {positions(i, 0), positions(i, 1), positions(i, 2)},
                                           {crossings(i, 0), crossings(i, 1), crossings(i, 2)}));
  }
};

}  // namespace upsweep::mpi::detail
