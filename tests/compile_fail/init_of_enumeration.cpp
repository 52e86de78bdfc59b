// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// An enumerator of 300 would be 44 in a scan of int8.
// Expected: for numbers it is a number
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

enum limits { many = 300 };

void init_of_enumeration(snippet::view<signed char*> in, snippet::view<signed char*> out) {
  upsweep::exclusive_scan(snippet::space(), in, out, RIGHT_OR_WRONG(3, many));
}
