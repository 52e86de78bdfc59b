// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "lennard_jones.hpp"
#include "pair_table.hpp"

#include <optional>

namespace nbody {

/// The pair potential: one Lennard-Jones pair for all particles, or pairs of a table.
struct interaction {
  lennard_jones plain;              ///< its cutoff is at least that of every pair of the table
  std::optional<pair_table> table;  ///< instead of plain
};

}  // namespace nbody
