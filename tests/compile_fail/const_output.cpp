// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the output of a scan is a View of rank 1 with elements that can be assigned
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/inclusive_scan.hpp>

void const_output(snippet::view<int*> in, snippet::view<RIGHT_OR_WRONG(int*, int const*)> out) {
  upsweep::inclusive_scan(snippet::space(), in, out);
}
