// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the monoid's value_type does not fit in an output element

#include "snippet.hpp"

#include <upsweep/scan/inclusive_scan.hpp>

void monoid_lower(snippet::view<float*> in, snippet::view<RIGHT_OR_WRONG(double*, float*)> out) {
  upsweep::inclusive_scan(snippet::space(), in, out, upsweep::plus<double>{});
}
