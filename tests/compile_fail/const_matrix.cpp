// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: elements of the output can be assigned
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/batched_scan.hpp>

void const_matrix(snippet::view<int**> in, snippet::view<RIGHT_OR_WRONG(int**, int const**)> out) {
  upsweep::batched_inclusive_scan(snippet::space(), in, out);
}
