// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/bricks/upright_frame.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/scan/reduce.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

namespace upsweep::mpi::detail {

// A box of any edges has no borders in its open directions. How far particles are along them is found where that is
// needed.

/// The upright coordinate d of a position once it is wrapped, times a sign; 0 for what is not a number.
template <class Positions, class Real>
struct signed_coordinate {
  Positions positions;
  upright_frame<Real> frame;
  int d;
  Real sign;
  KOKKOS_FUNCTION Real operator()(std::size_t i) const {
    auto const wrapped = frame.box.wrap({positions(i, 0), positions(i, 1), positions(i, 2)});
    Real const t = frame.triclinic_place(wrapped)[d] * sign;
    return t == t ? t : Real(0);
  }
};

/// Where particles are along each direction without borders. Without particles lo is greater than hi.
struct open_range {
  double minus_lo[3], hi[3];

  /// No coordinate is larger. A power of two, so that it seldom changes.
  double largest() const {
    double most = 0;
    for (int d = 0; d < 3; ++d) most = std::max({most, minus_lo[d], hi[d]});
    int exponent = 0;
    std::frexp(most, &exponent);
    return std::ldexp(1.0, exponent);
  }
};

/// Of the particles of this rank. Waits for the instance.
template <class ExecutionSpace, class Real, class Positions>
open_range find_open_range(ExecutionSpace const& space, upright_frame<Real> const& frame, Positions const& positions,
                           std::string_view label, workspace* memory = nullptr) {
  auto const largest = [&](int d, Real sign) {
    return double(upsweep::reduce(space, positions.extent(0),
                                  signed_coordinate<Positions, Real>{positions, frame, d, sign}, max<Real>{},
                                  {.workspace = memory, .label = label}));
  };
  open_range range{};
  for (int d = 0; d < 3; ++d) {
    if (!frame.is_unbounded(d)) continue;
    range.minus_lo[d] = largest(d, Real(-1));
    range.hi[d] = largest(d, Real(1));
  }
  return range;
}

/// Of the particles of all ranks. Collective.
inline void join_open_ranges(communicator const& comm, open_range& range) {
  for (double* side : {range.minus_lo, range.hi})
    check(comm, MPI_Allreduce(MPI_IN_PLACE, side, 3, MPI_DOUBLE, MPI_MAX, comm.get()), "MPI_Allreduce");
}

/// What a bisection cuts: the box, and where that has no borders the range in which particles are, and a little more.
template <class Real>
brick<Real> part_with_particles(upright_frame<Real> const& frame, open_range const& range) {
  brick<Real> part{frame.lo, frame.hi};
  double longest = 0;
  for (int d = 0; d < 3; ++d)
    longest = std::max(longest, frame.is_unbounded(d) ? range.minus_lo[d] + range.hi[d] : double(frame.box.length(d)));
  for (int d = 0; d < 3; ++d) {
    if (!frame.is_unbounded(d)) continue;
    bool const empty = !(-range.minus_lo[d] <= range.hi[d]);
    double const lo = empty ? 0 : -range.minus_lo[d], hi = empty ? 0 : range.hi[d];
    // Some numbers more than there are places for cuts.
    constexpr double smallest = std::numeric_limits<Real>::min() * 0x1p20;
    double const room = std::max((longest + std::max(std::abs(lo), std::abs(hi))) * 0x1p-20, smallest);
    part.lo[d] = std::max(static_cast<Real>(lo - room), frame.lo[d]);
    part.hi[d] = std::min(static_cast<Real>(hi + room), frame.hi[d]);
  }
  return part;
}

}  // namespace upsweep::mpi::detail
