// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: keys are integers or floating-point numbers of up to 64 bits

#include "snippet.hpp"

#include <upsweep/pack/sort.hpp>

void sort_key_type(snippet::view<RIGHT_OR_WRONG(double*, long double*)> keys) { upsweep::sort(snippet::space(), keys); }
