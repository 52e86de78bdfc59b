// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The standard library's sequential scans; by key, a loop.

#include "implementation.hpp"

#include <numeric>

namespace perf {

template <class T>
void scan_by_key_in_a_loop(std::int32_t const* keys, T const* in, T* out, std::size_t n) {
  typename element<T>::monoid const sum;
  T state = sum.identity();
  for (std::size_t i = 0; i < n; ++i) {
    state = i > 0 && keys[i] == keys[i - 1] ? sum(state, in[i]) : in[i];
    out[i] = state;
  }
}

template <class T>
std::vector<implementation<T>> std_scans(engine_names const&) {
  return {{"std", "", {operation::exclusive_scan, operation::inclusive_scan, operation::inclusive_scan_by_key, operation::reduce},
           [](operation op, problem<T> const& p) -> prepared<T> {
             typename element<T>::monoid const sum;
             T const* const in = p.in.data();
             T const* const end = in + p.n();
             T* const out = p.out.data();
             if (op == operation::reduce) return {[=] { p.total() = std::reduce(in, end, sum.identity(), sum); }};
             if (op == operation::inclusive_scan_by_key) return {[=] { scan_by_key_in_a_loop(p.keys.data(), in, out, p.n()); }};
             if (op == operation::inclusive_scan) return {[=] { std::inclusive_scan(in, end, out, sum); }};
             return {[=] { std::exclusive_scan(in, end, out, sum.identity(), sum); }};
           }}};
}

}  // namespace perf
