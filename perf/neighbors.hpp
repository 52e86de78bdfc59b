// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>

namespace perf {

/// Registers the neighbour-list benchmarks up to a number of particles.
void add_neighbors(std::size_t largest);

/// Those of n particles; defined in neighbors/uniform.hpp.
template <class Real>
void add_uniform(std::size_t n);

/// Registers force loops over the layouts of a list, up to a number of particles.
void add_forces(std::size_t largest);

}  // namespace perf
