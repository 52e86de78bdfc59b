// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/phase_times.hpp"
#include "inputs.hpp"
#include "weights.hpp"

#include <cstddef>
#include <vector>

namespace interpolate {

/// What a run has found.
struct results {
  std::vector<double> values;  ///< in the order of targets, all fields of a target together
  degree_counts degrees;
  std::size_t pairs = 0;
};

/// So many targets have weights at a time.
inline constexpr std::size_t targets_at_a_time = std::size_t(1) << 20;

/// Computes all fields at all targets. Times go to the phases weights and apply.
/// Throws: as class weights.
results run(space_type const& space, problem const& p, method wanted, double radius, apps::phase_times& times);

}  // namespace interpolate
