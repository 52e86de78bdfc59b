// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/fetch.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/agree_and_scan/host_copy.hpp>
#include <upsweep/mpi/detail/rows/row_route.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/neighbors/box.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::mpi::detail {

template <class View>
concept view_of_positions = (Kokkos::is_view_v<View> && compat::rank<View> == 2 &&
                             std::is_floating_point_v<typename View::non_const_value_type>);

/// A position that no brick can take: one with a fault in the box, or on the upper border of an open direction of an
/// orthogonal one. (Where edges lean, rounding leaves some particles on that border, or beyond it.)
template <class Positions, class Real>
struct has_no_place {
  Positions positions;
  upsweep::box<Real> box;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    Kokkos::Array<Real, 3> const x{positions(i, 0), positions(i, 1), positions(i, 2)};
    bool bad = static_cast<bool>(box.fault(x));
    if (box.is_orthogonal())
      for (int d = 0; d < 3; ++d) bad = bad || (!box.periodic(d) && x[d] == box.hi(d));
    return bad;
  }
};

/// What is wrong with a position that has no place, for messages.
template <class Real>
std::string why_no_place(upsweep::box<Real> const& box, Kokkos::Array<Real, 3> const& x) {
  auto const fault = box.fault(x);
  return fault ? box.describe(fault) : "is on the upper border of the box in an open direction";
}

/// A position that is not inside of a brick of an orthogonal box; NaN is in none.
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

/// A position in a triclinic box that is not wrapped, or is another rank's.
template <class Positions, class Real>
struct is_elsewhere {
  Positions positions;
  domain<Real> parts;
  int rank;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    Kokkos::Array<Real, 3> const x{positions(i, 0), positions(i, 1), positions(i, 2)};
    auto const wrapped = parts.box().wrap(x);
    for (int d = 0; d < 3; ++d)
      if (!(x[d] == wrapped[d])) return true;
    return parts.box().fault(x, wrapped) || parts.owner_of_place(access::frame(parts).triclinic_place(x)) != rank;
  }
};

template <class View, class Out>
struct copy_row {
  View view;
  std::size_t row;
  Out out;
  KOKKOS_FUNCTION void operator()(std::size_t d) const { out(d) = view(row, d); }
};

/// A row of a View (n, 3), on the CPU.
template <class ExecutionSpace, class View>
auto row_of_three(ExecutionSpace const& space, View const& view, std::size_t row) {
  using value = typename View::non_const_value_type;
  auto const out = allocate<value>(space, 3, "mpi", "row");
  upsweep::internal::for_each_index(space, "upsweep::mpi::row", 3, copy_row<View, decltype(out)>{view, row, out});
  auto const x = to_host(space, out);
  return Kokkos::Array<value, 3>{x[0], x[1], x[2]};
}

/// "particle 17 at (nan, 1, 2)", for messages.
template <class ExecutionSpace, class Positions>
std::string describe_position(ExecutionSpace const& space, Positions const& positions, std::size_t row) {
  return upsweep::internal::text_of_particle(static_cast<std::int64_t>(row), row_of_three(space, positions, row));
}

}  // namespace upsweep::mpi::detail
