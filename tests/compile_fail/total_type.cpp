// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the total of a scan goes to a View of rank 0 of the output's value type

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void total_type(snippet::view<int*> in, snippet::view<int*> out, snippet::view<RIGHT_OR_WRONG(int, long)> total) {
  upsweep::exclusive_scan(snippet::space(), in, out, total, 0, upsweep::plus<>{});
}
