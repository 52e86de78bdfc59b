// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Thrust's scans and reduction by key in the instance's stream, as its users call them: temporary memory is
// taken in each call.

#include "implementation.hpp"

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace perf {

/// The ends of the outputs come to the host, so it waits.
template <class T, class Sum>
prepared<T> reduce_by_key_with_thrust(problem<T> const& p, Sum const& sum) {
  auto const runs = std::make_shared<std::uint64_t>(0);
  prepared<T> result;
  result.call = [=] {
    std::int32_t const* const keys = p.keys.data();
    auto const policy = thrust::cuda::par_nosync.on(p.instance.cuda_stream());
    auto const ends = thrust::reduce_by_key(policy, keys, keys + p.n(), p.in.data(), p.run_keys.data(), p.out.data(),
                                            thrust::equal_to<std::int32_t>{}, sum);
    *runs = static_cast<std::uint64_t>(ends.first - p.run_keys.data());
  };
  result.finish = [=] { Kokkos::deep_copy(p.instance, p.runs, *runs); };
  return result;
}

template <class T>
std::vector<implementation<T>> scans<T>::by_thrust(engine_names const&) {
  using sum = std::conditional_t<std::is_arithmetic_v<T>, thrust::plus<T>, typename element<T>::monoid>;
  return {{"thrust", "",
           operations_of<T>({operation::exclusive_scan, operation::inclusive_scan}, {operation::reduce_by_key}),
           [](operation op, problem<T> const& p) -> prepared<T> {
             auto const policy = thrust::cuda::par_nosync.on(p.instance.cuda_stream());
             T const* const in = p.in.data();
             T const* const end = in + p.n();
             T* const out = p.out.data();
             T const zero = typename element<T>::monoid{}.identity();
             if constexpr (has_all_operations<T>)
               if (op == operation::reduce_by_key) return reduce_by_key_with_thrust(p, sum{});
             if (op == operation::inclusive_scan) return {[=] { thrust::inclusive_scan(policy, in, end, out, sum{}); }};
             return {[=] { thrust::exclusive_scan(policy, in, end, out, zero, sum{}); }};
           }}};
}

}  // namespace perf
