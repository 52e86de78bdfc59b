// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: an initial value on the device has the monoid's value_type
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/inclusive_scan.hpp>

void init_type(snippet::view<int*> in, snippet::view<int*> out, snippet::view<RIGHT_OR_WRONG(int, float)> init) {
  upsweep::inclusive_scan(snippet::space(), in, out, upsweep::from{init}, upsweep::plus<>{});
}
