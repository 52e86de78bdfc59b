// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: a sort is given Views of rank 1 with elements that can be assigned

#include "snippet.hpp"

#include <upsweep/pack/sort.hpp>

void const_keys(snippet::view<RIGHT_OR_WRONG(int*, int const*)> keys) { upsweep::sort(snippet::space(), keys); }
