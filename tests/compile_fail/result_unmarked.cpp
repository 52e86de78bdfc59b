// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: a View in this place says what it is
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/reduce.hpp>

void result_unmarked(snippet::view<int*> in, snippet::view<int> result) {
  upsweep::reduce(snippet::space(), in, RIGHT_OR_WRONG(upsweep::into{result}, result));
}
