// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Thrust, in the instance's stream, for what CUB has nothing for. Temporary memory is taken in each call, as
// Thrust's users have it.

#include "implementation.hpp"

#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/partition.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perf::pack {

template <class T>
prepared prepare_thrust(problem<T> const& p) {
  auto const policy = thrust::cuda::par_nosync.on(p.instance.cuda_stream());
  auto const n = p.n();
  T const* const in = p.in.data();
  T* const out = p.out.data();
  if (p.op == operation::load_balance) {
    // As many rows end at an item or before it as there are before its own.
    std::size_t const* const begin = p.offsets.data() + 1;
    std::size_t const* const end = p.offsets.data() + p.offsets.extent(0);
    auto const items = thrust::make_counting_iterator(std::size_t(0));
    return {[=] {
      thrust::upper_bound(policy, begin, end, items, items + static_cast<std::ptrdiff_t>(n), out), static_cast<void>(p);
    }};
  }
  // The ends of the outputs come to the host, so it waits.
  T* const rest = p.values.data();
  return {[=] {
            auto const ends = thrust::stable_partition_copy(policy, in, in + n, out, rest, p.keep);
            Kokkos::deep_copy(p.instance, p.counts, static_cast<std::uint64_t>(ends.first - out));
          },
          {},
          order::stable,
          [p] { join_rest(p); }};
}

template <class T>
std::vector<implementation<T>> packs<T>::by_thrust() {
  if constexpr (has_all_operations<T>)
    return {{"thrust", {operation::partition_copy, operation::load_balance}, prepare_thrust<T>}};
  else return {};
}

}  // namespace perf::pack
