// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: an operation is a monoid, .*upsweep::plus<>, not std::plus<>
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/scan_by_key.hpp>

#include <functional>

void standard_operation_by_key(snippet::view<int*> keys, snippet::view<int*> in, snippet::view<int*> out) {
  upsweep::inclusive_scan_by_key(snippet::space(), keys, in, out,
                                 RIGHT_OR_WRONG(upsweep::bit_and<>{}, std::bit_and<>{}));
}
