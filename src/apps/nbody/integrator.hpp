// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "atoms.hpp"

namespace nbody {

/// Velocity Verlet before the new forces: half a kick, then a whole drift.
void kick_and_drift(space_type const& space, atoms const& a, vectors const& forces, double dt);

/// Velocity Verlet after the new forces: the other half of the kick.
void kick(space_type const& space, atoms const& a, vectors const& forces, double dt);

}  // namespace nbody
