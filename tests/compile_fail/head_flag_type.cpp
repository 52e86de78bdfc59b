// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: upsweep::head_flags: flags are a View of rank 1 or a functor
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/segmented_scan.hpp>

void head_flag_type(snippet::view<int*> in, snippet::view<int*> out,
                    snippet::view<RIGHT_OR_WRONG(bool, float) *> flags) {
  upsweep::segmented_exclusive_scan(snippet::space(), in, upsweep::head_flags{flags}, out);
}
