// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>
#include <vector>

namespace perf {

/// Registers force loops over a list, of so many particles each; none given: the backend's usual ones.
void add_forces(std::vector<std::size_t> const& sizes);

}  // namespace perf
