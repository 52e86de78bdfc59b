// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "pair_table.hpp"
#include "types.hpp"

#include <upsweep/neighbors/neighbor_rows.hpp>

namespace nbody {

/// compute_forces for pairs of a table. The force does not depend on the order of a row's neighbours either; it is not
/// a number where that of a pair is none, or is too large for any grid.
void compute_forces(space_type const& space, upsweep::neighbor_rows<> const& rows, padded_vectors const& positions,
                    pair_table const& table, vectors const& forces);
void compute_forces(space_type const& space, upsweep::chosen_rows<> const& rows, padded_vectors const& positions,
                    pair_table const& table, vectors const& forces);

}  // namespace nbody
