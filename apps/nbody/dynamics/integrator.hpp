// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../atoms.hpp"
#include "../neighbor_positions.hpp"

namespace nbody {

/// What the velocities of all particles lack before a step. The half kick that ends a step waits for the one that
/// begins the next step, where nobody looks at velocities in between: one pass over memory does both, with the same
/// bits as two.
enum class velocity_state { complete, owes_half_kick };

/// Velocity Verlet before the new forces: half a kick, with the one that is owed before it, then a whole drift. New
/// positions go to `moved`, too, with the types in its fourth column, where the force loop reads them.
void kick_and_drift(space_type const& space, atoms const& a, vectors const& forces, double dt, velocity_state before,
                    neighbor_positions const& moved);

/// Velocity Verlet after the new forces: the other half of the kick.
void kick(space_type const& space, atoms const& a, vectors const& forces, double dt);

}  // namespace nbody
