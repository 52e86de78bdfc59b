// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../neighbor_positions.hpp"
#include "../types.hpp"
#include "pair_table.hpp"

#include <upsweep/neighbors/neighbor_rows.hpp>

namespace nbody {

/// compute_forces for pairs of a table. Here, too, the force does not depend on the order of a row's neighbours. It is
/// NaN where the force of a pair is NaN or too large for any grid.
template <class Rows>
void compute_forces(space_type const& space, Rows const& rows, neighbor_positions const& positions,
                    pair_table const& table, vectors const& forces);

}  // namespace nbody
