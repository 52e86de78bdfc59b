// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>

#include <cstddef>
#include <vector>

namespace oracle {

/// Segments begin at the first element and where heads are not 0.
template <class Out, class In, class Head, class Monoid>
std::vector<Out> segmented_scan(std::vector<In> const& in, std::vector<Head> const& heads, Monoid const& op,
                                bool inclusive) {
  std::vector<Out> out(in.size());
  auto running = op.identity();
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i == 0 || heads[i] != 0) running = op.identity();
    auto const next = op(running, upsweep::internal::lift(op, in[i]));
    out[i] = upsweep::internal::lower<Out>(op, inclusive ? next : running);
    running = next;
  }
  return out;
}

}  // namespace oracle
