// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Thrust's scans in the instance's stream, as its users call them: temporary memory is taken in each call.

#include "implementation.hpp"

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/scan.h>

#include <type_traits>

namespace perf {

template <class T>
std::vector<implementation<T>> thrust_scans(engine_names const&) {
  using sum = std::conditional_t<std::is_arithmetic_v<T>, thrust::plus<T>, typename element<T>::monoid>;
  return {{"thrust", "", {operation::exclusive_scan, operation::inclusive_scan},
           [](operation op, problem<T> const& p) -> prepared<T> {
             auto const policy = thrust::cuda::par_nosync.on(p.instance.cuda_stream());
             T const* const in = p.in.data();
             T const* const end = in + p.n();
             T* const out = p.out.data();
             T const zero = typename element<T>::monoid{}.identity();
             if (op == operation::inclusive_scan) return {[=] { thrust::inclusive_scan(policy, in, end, out, sum{}); }};
             return {[=] { thrust::exclusive_scan(policy, in, end, out, zero, sum{}); }};
           }}};
}

}  // namespace perf
