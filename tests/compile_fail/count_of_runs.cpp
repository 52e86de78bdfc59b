// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: counts go to a View of std::size_t

#include "snippet.hpp"

#include <upsweep/pack/run_length.hpp>

void count_of_runs(snippet::view<int*> in, snippet::view<int*> values, snippet::view<int*> lengths,
                   snippet::view<RIGHT_OR_WRONG(std::uint64_t, std::uint32_t)> count) {
  upsweep::run_length(snippet::space(), in, values, lengths, count);
}
