// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: these are options of other calls
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

void options_of_other_calls(snippet::view<int*> in, snippet::view<int*> out) {
  upsweep::exclusive_scan(snippet::space(), in, out, upsweep::RIGHT_OR_WRONG(scan_options, call_options){});
}
