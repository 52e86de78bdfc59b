// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <vector>

namespace nbody {

/// The histogram of pair distances, of all samples so far.
struct rdf_record {
  std::int64_t samples = 0;
  std::int64_t last_step = -1;       ///< of the last sample; -1: there is none
  double reach = 0;                  ///< bins of equal width go from 0 to here
  std::vector<std::int64_t> counts;  ///< of bins; both directions of a pair count
};

/// The mean squared displacement at one step.
struct msd_row {
  std::int64_t step = 0;
  double value = 0;
};

}  // namespace nbody
