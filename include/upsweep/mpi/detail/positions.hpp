// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/host_copy.hpp>
#include <upsweep/mpi/detail/row_route.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/neighbors/box.hpp>

#include <cstdio>
#include <string>

namespace upsweep::mpi::detail {

template <class View>
concept view_of_positions = Kokkos::is_view_v<View> && (compat::rank<View> == 2) &&
                            std::is_floating_point_v<typename View::non_const_value_type>;

/// A position that no brick can take: NaN, infinite, outside of the box in an open direction, or so many boxes away
/// that its place in the box is no longer known.
template <class Positions, class Real>
struct has_no_place {
  Positions positions;
  upsweep::box<Real> box;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    for (int d = 0; d < 3; ++d) {
      Real const x = positions(i, d);
      if (!Kokkos::isfinite(x)) return true;
      if (box.periodic(d)) {
        if (!(Kokkos::abs((x - box.lo(d)) / box.length(d)) < Real(1 << 20))) return true;
      } else if (!(x >= box.lo(d) && x < box.hi(d))) {
        return true;
      }
    }
    return false;
  }
};

/// A position that is not inside of a brick; NaN is in none.
template <class Positions, class Real>
struct is_outside {
  Positions positions;
  upsweep::mpi::brick<Real> brick;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    for (int d = 0; d < 3; ++d)
      if (!(positions(i, d) >= brick.lo[d] && positions(i, d) < brick.hi[d])) return true;
    return false;
  }
};

template <class Positions, class Out>
struct copy_position {
  Positions positions;
  std::size_t row;
  Out out;
  KOKKOS_FUNCTION void operator()(std::size_t d) const { out(d) = positions(row, d); }
};

/// "particle 17 at (nan, 1, 2)", for messages.
template <class ExecutionSpace, class Positions>
std::string describe_position(ExecutionSpace const& space, Positions const& positions, std::size_t row) {
  auto const out = allocate<double>(space, 3, "mpi", "position");
  Kokkos::parallel_for("upsweep::mpi::position", range(space, 3),
                       copy_position<Positions, decltype(out)>{positions, row, out});
  auto const x = to_host(space, out);
  char text[128];
  std::snprintf(text, sizeof(text), "particle %zu at (%.9g, %.9g, %.9g)", row, x[0], x[1], x[2]);
  return text;
}

}  // namespace upsweep::mpi::detail
