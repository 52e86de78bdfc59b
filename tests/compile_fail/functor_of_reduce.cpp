// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: an operation is a monoid, .*upsweep::plus<>, not std::plus<>
// Lines: 60

#include "snippet.hpp"

#include <upsweep/scan/reduce.hpp>

void functor_of_reduce(snippet::view<int*> in) { upsweep::reduce(snippet::space(), in, snippet::sum_of_two{}); }
