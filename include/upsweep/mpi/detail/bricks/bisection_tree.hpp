// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <concepts>

namespace upsweep::mpi {

/// One cut of a recursive bisection: what is below `at` along `direction` (0, 1, 2) belongs to the lower ranks.
template <std::floating_point Real>
struct bisection_cut {
  Real at;
  int direction;
};

namespace detail {

#if defined(KOKKOS_HAS_SHARED_SPACE)
using cuts_space = Kokkos::SharedSpace;  // owner() works on the host and in kernels
#else
using cuts_space = Kokkos::HostSpace;
#endif

/// The ranks first ... last - 1, which share one part of the box until it is cut between them. The cut below rank
/// `middle` has the number middle - 1: each number belongs to one cut, so the tree needs no pointers.
struct rank_range {
  int first, last;
  KOKKOS_FUNCTION int size() const { return last - first; }
  KOKKOS_FUNCTION int middle() const { return first + size() / 2; }
  KOKKOS_FUNCTION int cut() const { return middle() - 1; }
  KOKKOS_FUNCTION rank_range half(bool upper) const {
    return upper ? rank_range{middle(), last} : rank_range{first, middle()};
  }
};

/// The half that holds a position. Pre: range.size() > 1.
template <class Cuts, class Position>
KOKKOS_FUNCTION rank_range half_that_holds(Cuts const& cuts, rank_range const& range, Position const& x) {
  auto const& cut = cuts(range.cut());
  return range.half(!(x[cut.direction] < cut.at));
}

}  // namespace detail
}  // namespace upsweep::mpi
