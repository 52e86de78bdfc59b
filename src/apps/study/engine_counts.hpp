// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "row.hpp"

namespace study {

/// Runs every device engine on n elements on the host's execution space, checks its results and counts: operations, reads of
/// the input, writes of the output, launches and workspace bytes. What an engine keeps in its own workspace is not visible
/// from outside, so its reads and writes there are not in the counts.
/// Pre: Kokkos is initialised; n >= 1. Throws std::runtime_error for a wrong result.
void count_engines(std::uint64_t n, rows& out);

}  // namespace study
