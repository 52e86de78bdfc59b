// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/groups/disjoint_sets.hpp"
#include "../support/groups/types.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <cstdint>

namespace clusters {

/// Sets of points on this rank, at whose roots there are labels.
struct labelled_sets {
  disjoint_sets sets;
  numbers first;     ///< the smallest number in the set
  numbers smallest;  ///< the smallest label that has reached it
};

/// Where sets find out across all ranks what their label has become. A label is the number of a point. Its entry, which
/// the rank has in whose even range of the numbers it is, is a label that is as small or smaller, of the same group.
/// Sets follow entries, and so a label comes about twice as far along a chain of sets with every call.
///
/// Memory: from the first call on 8 bytes a number in the rank's range, and 8 bytes a point or ghost.
class label_directory {
 public:
  label_directory(upsweep::mpi::communicator const& comm, std::int64_t total) : comm_(comm), total_(total) {}

  /// Each set whose label is no longer its first one lowers two entries to its label, that of its first one and that of
  /// the one that it had after the last call, and then takes what the entry of its label has.
  /// Pre: the same sets in each call; labels are numbers of the set's group.
  /// Cost: a pass over the points, sorts of such sets' labels, and two redistributions, of 20 bytes to each entry that
  /// a rank lowers or asks for, and 16 back. However many sets have a label, a rank sends to its entry at most twice.
  /// Sync: collective; waits for the instance. Throws: on all ranks alike.
  void follow(space_type const& space, labelled_sets const& sets);

 private:
  void make_entries(space_type const& space, numbers const& first_labels, std::int64_t first, std::int64_t last);

  upsweep::mpi::communicator comm_;
  std::int64_t total_;
  bool made_ = false;
  numbers entries_, before_;
};

}  // namespace clusters
