// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/groups/types.hpp"
#include "../support/phase_times.hpp"
#include "points.hpp"

#include <upsweep/mpi/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clusters {

/// Whole groups, in ascending order of labels; those of the ranks one behind the other. All ids are the input's.
struct group_table {
  std::vector<std::int64_t> label;         ///< of friends the first member, of DBSCAN the first core
  std::vector<std::int64_t> size, offset;  ///< offset: one more, where members begin
  std::vector<std::int64_t> members;       ///< ids, group after group, ascending in each
  std::vector<std::int64_t> number;        ///< of the members, likewise
  std::vector<double> centre;              ///< x, y, z of each group, wrapped; nan of a group that spans the box
  std::vector<std::uint8_t> spans;
  std::vector<std::int64_t> noise_number;  ///< of the points that are in no group

  std::size_t groups() const { return label.size(); }
  /// The id of the member with this number. Pre: the group has one.
  std::int64_t id_of(std::int64_t number, std::size_t group) const;
};

/// Groups from labels. On several ranks each group goes to one of them as a whole.
/// core: the cores of DBSCAN, which is on one rank; empty: friends of friends.
/// Collective; throws on all ranks alike: overflow_error where the groups of a rank have too many points.
group_table find_groups(upsweep::mpi::communicator const& comm, space_type const& space, point_set points,
                        numbers label, flags const& core, double length, apps::phase_times& times);

}  // namespace clusters
