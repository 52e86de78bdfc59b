// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: an input element does not fit in the accumulator

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void narrow_output(snippet::view<std::int64_t*> in, snippet::view<RIGHT_OR_WRONG(std::int64_t*, int*)> out) {
  upsweep::exclusive_scan(snippet::space(), in, out);
}
