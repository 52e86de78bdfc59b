// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// tbb::parallel_scan.

#include "implementation.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_scan.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace perf {

template <bool Inclusive, class T>
T scan_with_tbb(T const* in, T* out, std::size_t n) {
  typename element<T>::monoid const monoid;
  return tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, n), monoid.identity(),
      [=](tbb::blocked_range<std::size_t> const& range, T state, bool final) {
        if (final)
          for (std::size_t i = range.begin(); i != range.end(); ++i) {
            T const next = monoid(state, in[i]);
            out[i] = Inclusive ? next : state;
            state = next;
          }
        else
          for (std::size_t i = range.begin(); i != range.end(); ++i) state = monoid(state, in[i]);
        return state;
      },
      monoid);
}

template <class T>
std::vector<implementation<T>> scans<T>::by_tbb(engine_names const&) {
  return {{"tbb",
           "",
           {operation::exclusive_scan, operation::inclusive_scan, operation::exclusive_scan_with_total},
           [](operation op, problem<T> const& p) -> prepared<T> {
             // As many threads as the space has, so that all have the same.
             auto const threads = std::make_shared<tbb::global_control>(
                 tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(p.instance.concurrency()));
             return {[=] {
               static_cast<void>(threads);
               if (op == operation::inclusive_scan) scan_with_tbb<true>(p.in.data(), p.out.data(), p.n());
               else p.total() = scan_with_tbb<false>(p.in.data(), p.out.data(), p.n());
             }};
           }}};
}

}  // namespace perf
