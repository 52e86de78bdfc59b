// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The standard library's sequential scans.

#include "implementation.hpp"

#include <numeric>

namespace perf {

template <class T>
std::vector<implementation<T>> std_scans(engine_names const&) {
  return {{"std", "", {operation::exclusive_scan, operation::inclusive_scan},
           [](operation op, problem<T> const& p) -> prepared<T> {
             typename element<T>::monoid const sum;
             T const* const in = p.in.data();
             T const* const end = in + p.n();
             T* const out = p.out.data();
             if (op == operation::inclusive_scan) return {[=] { std::inclusive_scan(in, end, out, sum); }};
             return {[=] { std::exclusive_scan(in, end, out, sum.identity(), sum); }};
           }}};
}

}  // namespace perf
