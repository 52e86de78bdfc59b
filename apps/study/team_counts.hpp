// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "row.hpp"

#include <cstdint>

namespace study {

/// Runs every team algorithm on n values by a lockstep team, checks its results and counts.
/// Pre: 1 <= n <= largest_team. Throws std::runtime_error for a wrong result.
constexpr std::uint64_t largest_team = 1024;
void count_teams(std::uint64_t n, rows& out);

}  // namespace study
