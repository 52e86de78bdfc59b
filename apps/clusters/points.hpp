// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/groups/point_set.hpp"
#include "../support/groups/types.hpp"
#include "options.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <cstdint>

namespace clusters {

/// The rank in whose even_range of n numbers this one is:
/// r with floor(r n / ranks) <= number < floor((r + 1) n / ranks).
KOKKOS_INLINE_FUNCTION int rank_of(std::int64_t number, std::int64_t n, std::int64_t ranks) {
  return static_cast<int>(((number + 1) * ranks - 1) / n);
}

/// Reads or makes the points that the options ask for; each rank gets an even range of them. Collective.
/// Throws: input_error, precondition_error, on all ranks alike.
point_set read_or_make_points(upsweep::mpi::communicator const& comm, space_type const& space, options const& o);

/// The linking length that the options ask for: in units of length, or of the mean spacing of the points in the box.
double linking_length(options const& o, point_set const& points);

}  // namespace clusters
