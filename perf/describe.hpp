// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace perf {

/// Prints what this program measures with, a line "name: value" each, for people and for perf/tables. Needs Kokkos.
void describe();

}  // namespace perf
