// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "lennard_jones.hpp"
#include "pair_table.hpp"

#include <optional>

namespace nbody {

/// What particles do to each other: all the same Lennard-Jones pair, or pairs of a table.
struct interaction {
  lennard_jones plain;              ///< its cutoff is the largest of the table's
  std::optional<pair_table> table;  ///< instead of plain
};

}  // namespace nbody
