// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../options.hpp"

#include <upsweep/io/particle_data.hpp>

namespace nbody {

/// The particles of NumPy files, in order of ids: --input has positions (n, 3), --velocities likewise, --masses
/// (n,) numbers, --types and --ids (n,) integers. Without velocities all are 0, without masses these are 1, without
/// types all are of type 1, without ids these are 1, 2, ... The box is that of --box and --origin; it is not checked.
/// Cost: one pass over each file, which is in memory twice while it is converted. Local.
/// Throws: input_error naming the file, for what is no such array, numbers that are not finite, masses and types that
/// are too small, and ids that come twice.
upsweep::particle_data read_npy_start(options const& o);

}  // namespace nbody
