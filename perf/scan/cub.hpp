// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// CUB's DeviceScan and DeviceReduce, with temporary storage allocated outside of the timing. Sums of arithmetic types
// go through ExclusiveSum, InclusiveSum, InclusiveSumByKey and Sum: CUB has tuned policies for its own operators only.

#include "implementation.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace perf {

/// The number of an element's row: what a scan of rows has as keys.
struct number_of_row {
  std::int64_t length;
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t operator()(std::int64_t i) const { return i / length; }
};

/// CUB scans segments by their keys, whatever else is known of them.
template <class T>
cudaError_t call_cub_by_key(operation op, problem<T> const& p, void* storage, std::size_t& bytes) {
  auto const scan = [&](auto const keys) {
    auto const n = static_cast<std::int64_t>(p.n());
    ::cuda::std::equal_to<> const equal;
    auto const stream = p.instance.cuda_stream();
    if constexpr (std::is_arithmetic_v<T>)
      return cub::DeviceScan::InclusiveSumByKey(storage, bytes, keys, p.in.data(), p.out.data(), n, equal, stream);
    else
      return cub::DeviceScan::InclusiveScanByKey(storage, bytes, keys, p.in.data(), p.out.data(),
                                                 typename element<T>::monoid{}, n, equal, stream);
  };
  if constexpr (has_all_operations<T>)
    if (row_length(op) != 0) {
      number_of_row const row{static_cast<std::int64_t>(row_length(op))};
      return scan(thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t(0)), row));
    }
  return scan(p.keys.data());
}

/// Of numbers only. reduce_by_key counts with 32 bits, for which CUB's states are smaller; there are fewer
/// keys than that.
template <class T>
cudaError_t call_cub_for_segments(operation op, problem<T> const& p, void* storage, std::size_t& bytes) {
  auto const stream = p.instance.cuda_stream();
  T const* const in = p.in.data();
  T* const out = p.out.data();
  if (op == operation::reduce_by_key)
    return cub::DeviceReduce::ReduceByKey(storage, bytes, p.keys.data(), p.run_keys.data(), in, out, p.runs.data(),
                                          ::cuda::std::plus<>{}, static_cast<std::int32_t>(p.n()), stream);
  std::int64_t const* const offsets = p.offsets.data();
  return cub::DeviceSegmentedReduce::Sum(storage, bytes, in, out, static_cast<std::int64_t>(segments_of(p.n())),
                                         offsets, offsets + 1, stream);
}

/// One call as CUB wants it, first with no storage to learn how much it needs, then to work.
template <class T>
cudaError_t call_cub(operation op, problem<T> const& p, void* storage, std::size_t& bytes) {
  auto const stream = p.instance.cuda_stream();
  T const* const in = p.in.data();
  T* const out = p.out.data();
  if constexpr (has_all_operations<T>)
    if (reduces_segments(op)) return call_cub_for_segments(op, p, storage, bytes);
  if (restart_length(op) != 0) return call_cub_by_key(op, p, storage, bytes);
  if (op == operation::reduce) {
    auto const count = static_cast<std::int64_t>(p.n());
    if constexpr (std::is_arithmetic_v<T>) {
      return cub::DeviceReduce::Sum(storage, bytes, in, p.total.data(), count, stream);
    } else {
      typename element<T>::monoid const monoid;
      return cub::DeviceReduce::Reduce(storage, bytes, in, p.total.data(), count, monoid, monoid.identity(), stream);
    }
  }
  // CUB's scans have no total: its users scan one element more, whose exclusive result is the total.
  auto const n = static_cast<std::int64_t>(p.n() + (op == operation::exclusive_scan_with_total ? 1 : 0));
  if constexpr (std::is_arithmetic_v<T>) {
    if (op == operation::inclusive_scan) return cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n, stream);
    return cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n, stream);
  } else {
    typename element<T>::monoid const monoid;
    if (op == operation::inclusive_scan)
      return cub::DeviceScan::InclusiveScan(storage, bytes, in, out, monoid, n, stream);
    return cub::DeviceScan::ExclusiveScan(storage, bytes, in, out, monoid, monoid.identity(), n, stream);
  }
}

template <class T>
std::vector<implementation<T>> scans<T>::by_cub(engine_names const&) {
  return {{"cub", "",
           operations_of<T>({operation::exclusive_scan, operation::inclusive_scan, operation::exclusive_scan_with_total,
                             operation::inclusive_scan_by_key, operation::reduce},
                            {operation::segmented_by_flags, operation::segmented_by_offsets, operation::batched_32,
                             operation::batched_1024, operation::batched_65536, operation::reduce_by_key,
                             operation::segmented_reduce}),
           [](operation op, problem<T> const& p) -> prepared<T> {
             std::size_t bytes = 0;
             if (call_cub<T>(op, p, nullptr, bytes) != cudaSuccess) throw std::runtime_error("CUB refuses the problem");
             Kokkos::View<char*, memory> const storage("upsweep::perf::cub", bytes);
             return {[=] {
                       std::size_t size = bytes;
                       if (call_cub<T>(op, p, storage.data(), size) != cudaSuccess)
                         throw std::runtime_error("CUB failed");
                     },
                     op == operation::exclusive_scan_with_total ? p.out.data() + p.n() : nullptr};
           }}};
}

}  // namespace perf
