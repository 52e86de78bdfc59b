// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "selection.hpp"

#include <string>
#include <vector>

namespace perf::neighbors {

/// Registers the selected lists of batches: of all systems in one call, with new systems each time and with those of
/// the call before, and of one system after the other. Sizes are numbers of particles.
void add_batches(list_selection const& selection);

/// Many systems, with a cutoff of 6:
///   crystals   CsCl in cubes of 4 x 4 x 4 cells with an edge of 4.12: 128 particles, 26 neighbours each
///   molecules  20 to 100 particles, 0.1 in a unit of volume, in open boxes
std::vector<std::string> batch_workloads();
std::vector<std::string> batch_impls();

}  // namespace perf::neighbors
