// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../../../apps/clusters/points.hpp"
#include "serial.hpp"

#include <upsweep/mpi/communicator.hpp>

namespace oracle {

/// Points in a box, and how far links reach.
struct cluster_problem {
  cell_box<double> box;
  point_list x;
  double length;
};

/// Uniform points or clumps, in a box that is open or periodic, orthogonal or tilted.
cluster_problem random_problem(unsigned seed);

/// This rank's even share of the points, whose ids are 10 + 3 * number.
clusters::point_set share_of(upsweep::mpi::communicator const& comm, clusters::space_type const& space,
                             cluster_problem const& problem);

}  // namespace oracle
