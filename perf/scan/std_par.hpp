// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The standard library's parallel scans; libstdc++ runs them on TBB.

#include "implementation.hpp"

#include <tbb/global_control.h>

#include <cstddef>
#include <execution>
#include <memory>
#include <numeric>
#include <vector>

namespace perf {

template <class T>
std::vector<implementation<T>> scans<T>::by_std_par(engine_names const&) {
  return {
      {"std_par",
       "",
       {operation::exclusive_scan, operation::inclusive_scan, operation::reduce},
       [](operation op, problem<T> const& p) -> prepared<T> {
         // As many threads as the space has, so that all have the same.
         auto const threads = std::make_shared<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                                    static_cast<std::size_t>(p.instance.concurrency()));
         typename element<T>::monoid const sum;
         T const* const in = p.in.data();
         T const* const end = in + p.n();
         T* const out = p.out.data();
         auto const policy = std::execution::par_unseq;
         if (op == operation::reduce)
           return {[=] { p.total() = std::reduce(policy, in, end, sum.identity(), sum), static_cast<void>(threads); }};
         if (op == operation::inclusive_scan)
           return {[=] { std::inclusive_scan(policy, in, end, out, sum), static_cast<void>(threads); }};
         return {[=] { std::exclusive_scan(policy, in, end, out, sum.identity(), sum), static_cast<void>(threads); }};
       }}};
}

}  // namespace perf
