// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

namespace upsweep {

/// Why a position cannot be used in a box, and in which direction: what box::fault() returns.
struct position_fault {
  enum class kind {
    none,        ///< the position can be used
    not_finite,  ///< a coordinate is NaN or infinite
    too_far,     ///< so far away that rounding has lost its place in the box
    outside      ///< outside of the box in an open direction
  };

  kind what = kind::none;
  int direction = 0;

  /// Whether there is a fault.
  KOKKOS_FUNCTION explicit operator bool() const { return what != kind::none; }
};

}  // namespace upsweep
