// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "types.hpp"

#include <cstdint>

namespace clusters {

/// Fills positions with the random points first, first + 1, ... in a cube [0, length)^3. A point depends on its number
/// and the seed alone. clustered: three of four points are in clumps of 1000 that are up to 4 wide to each side and
/// denser inwards, so that within 0.2 of its centre a clump has some 60; the others are uniform.
void fill_random_points(space_type const& space, vectors const& positions, std::int64_t first, double length,
                        bool clustered, std::uint64_t seed);

}  // namespace clusters
