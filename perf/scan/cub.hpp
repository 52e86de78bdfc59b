// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// CUB's DeviceScan, with temporary storage allocated outside of the timing. Sums of arithmetic types go through
// ExclusiveSum and InclusiveSum, for which CUB has its tuned policies.

#include "implementation.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <stdexcept>
#include <type_traits>

namespace perf {

/// One call as CUB wants it, first with no storage to learn how much it needs, then to work.
template <class T>
cudaError_t call_cub(operation op, problem<T> const& p, void* storage, std::size_t& bytes) {
  auto const stream = p.instance.cuda_stream();
  T const* const in = p.in.data();
  T* const out = p.out.data();
  if (op == operation::reduce || op == operation::inclusive_scan_by_key) {
    typename element<T>::monoid const monoid;
    auto const count = static_cast<std::int64_t>(p.n());
    if (op == operation::reduce)
      return cub::DeviceReduce::Reduce(storage, bytes, in, p.total.data(), count, monoid, monoid.identity(), stream);
    return cub::DeviceScan::InclusiveScanByKey(storage, bytes, p.keys.data(), in, out, monoid, count, ::cuda::std::equal_to<>{}, stream);
  }
  // CUB's scans have no total: its users scan one element more, whose exclusive result is the total.
  auto const n = static_cast<std::int64_t>(p.n() + (op == operation::exclusive_scan_with_total ? 1 : 0));
  if constexpr (std::is_arithmetic_v<T>) {
    if (op == operation::inclusive_scan) return cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n, stream);
    return cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n, stream);
  } else {
    typename element<T>::monoid const monoid;
    if (op == operation::inclusive_scan) return cub::DeviceScan::InclusiveScan(storage, bytes, in, out, monoid, n, stream);
    return cub::DeviceScan::ExclusiveScan(storage, bytes, in, out, monoid, monoid.identity(), n, stream);
  }
}

template <class T>
std::vector<implementation<T>> cub_scans(engine_names const&) {
  return {{"cub", "",
           {operation::exclusive_scan, operation::inclusive_scan, operation::exclusive_scan_with_total, operation::inclusive_scan_by_key,
            operation::reduce},
           [](operation op, problem<T> const& p) -> prepared<T> {
             std::size_t bytes = 0;
             if (call_cub<T>(op, p, nullptr, bytes) != cudaSuccess) throw std::runtime_error("CUB refuses the problem");
             Kokkos::View<char*, memory> const storage("upsweep::perf::cub", bytes);
             return {[=] {
                       std::size_t size = bytes;
                       if (call_cub<T>(op, p, storage.data(), size) != cudaSuccess) throw std::runtime_error("CUB failed");
                     },
                     op == operation::exclusive_scan_with_total ? p.out.data() + p.n() : nullptr};
           }}};
}

}  // namespace perf
