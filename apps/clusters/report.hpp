// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/phase_times.hpp"
#include "groups.hpp"
#include "options.hpp"

#include <upsweep/mpi/communicator.hpp>
#include <upsweep/neighbors/box.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace clusters {

/// What was found, of all ranks.
struct summary {
  std::int64_t points = 0, noise = 0, groups = 0, in_catalogue = 0, spanning = 0;
  std::int64_t largest_size = 0, largest_label = -1;
  std::array<std::int64_t, 48> groups_of{}, members_of{};  ///< of groups with 2^k to 2^(k + 1) - 1 members
  double length = 0;
  std::vector<std::pair<std::string, double>> phases;  ///< the longest of the ranks, seconds

  /// Points a second of the phases that label them.
  double rate() const;
};

/// Collective.
summary summarize(upsweep::mpi::communicator const& comm, group_table const& table, std::int64_t points,
                  std::int64_t min_members, double length);
/// The phases, as the slowest rank had them. Collective.
std::vector<std::pair<std::string, double>> over_ranks(upsweep::mpi::communicator const& comm,
                                                       apps::phase_times const& times);

std::string to_text(summary const& s, options const& o, upsweep::box<double> const& box, int ranks);
std::string to_json(summary const& s, options const& o, upsweep::box<double> const& box, int ranks);
/// Draws the histogram of sizes.
void plot(std::string const& file, summary const& s);

}  // namespace clusters
