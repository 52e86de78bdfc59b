// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "row.hpp"

#include <cstdint>

namespace study {

/// Runs every device engine on n elements on the host's execution space, checks its results and counts: operations,
/// reads and writes of elements in global memory (input, output, and states in the engine's workspace), launches and
/// workspace bytes. Tickets and status words are not elements (scan/study/access_count.hpp).
/// Pre: Kokkos is initialised; n >= 1. Throws std::runtime_error for a wrong result.
void count_engines(std::uint64_t n, rows& out);

}  // namespace study
