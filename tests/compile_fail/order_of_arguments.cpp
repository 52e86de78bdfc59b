// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: behind the output stand, each at most once and in this order
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void order_of_arguments(snippet::view<int*> in, snippet::view<int*> out) {
  upsweep::exclusive_scan(snippet::space(), in, out, RIGHT_OR_WRONG(3, upsweep::max<>{}),
                          RIGHT_OR_WRONG(upsweep::max<>{}, 3));
}
