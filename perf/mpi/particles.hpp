// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "measure.hpp"

#include <upsweep/mpi/domain.hpp>

#include <cstddef>
#include <cstdint>

namespace perf::ranks {

using positions_view = Kokkos::View<double* [3], Kokkos::LayoutRight, memory>;
using ids_view = Kokkos::View<std::int64_t*, memory>;

/// Random places in the brick of this rank; ids count on from `first`.
struct place_particles {
  positions_view positions;
  ids_view ids;
  mpi::brick<double> brick;
  std::uint64_t first;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const i = static_cast<std::size_t>(k);
    ids(i) = static_cast<std::int64_t>(first + i);
    for (int d = 0; d < 3; ++d) positions(i, d) = place(brick, first + i, d);
  }
  KOKKOS_FUNCTION static double place(mpi::brick<double> const& brick, std::uint64_t id, int d) {
    double const x =
        Kokkos::fma(mix_to_unit(3 * id + static_cast<std::uint64_t>(d)), brick.hi[d] - brick.lo[d], brick.lo[d]);
    return x < brick.hi[d] ? x : brick.lo[d];
  }
};

}  // namespace perf::ranks
