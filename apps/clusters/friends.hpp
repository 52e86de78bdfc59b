// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/groups/point_set.hpp"
#include "../support/groups/types.hpp"
#include "../support/phase_times.hpp"

#include <upsweep/mpi/communicator.hpp>

namespace clusters {

struct friends_labels {
  numbers label;
  int rounds;  ///< exchanges of labels between ranks
};

/// Friends of friends: points at most `length` apart are linked, and each point is labelled with the smallest number
/// among all that chains of links lead to; alone with its own. On several ranks the points move to the owners of their
/// places first, in which order the labels are.
///
/// Cost on one rank: for_each_pair, and two passes over the points. On several: the same for owned points and ghosts;
/// then labels of ghosts travel until none becomes smaller. After four exchanges a label_directory takes them
/// further, so that chains of any length need few more.
/// Sync: collective. Throws: on all ranks alike.
friends_labels label_friends(upsweep::mpi::communicator const& comm, space_type const& space, point_set& points,
                             double length, apps::phase_times& times);

}  // namespace clusters
