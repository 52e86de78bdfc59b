// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// CUB's DeviceSelect, DevicePartition, DeviceRunLengthEncode, DeviceHistogram and DeviceRadixSort, with temporary
// storage allocated outside of the timing. Counts of elements have 32 bits, for which CUB is faster: run lengths pass
// on smaller states, and sorts have smaller counters. add.cpp leaves out larger problems.

#include "implementation.hpp"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace perf::pack {

/// What only some types have. CUB writes each of three parts into an array of its own: where they start in one array is
/// known only behind the call.
template <class T>
cudaError_t call_cub_for_others(problem<T> const& p, void* storage, std::size_t& bytes) {
  auto const stream = p.instance.cuda_stream();
  auto const n = static_cast<std::int32_t>(p.n());
  T const* const in = p.in.data();
  T* const out = p.out.data();
  std::uint64_t* const count = p.counts.data();
  switch (p.op) {
    case operation::compact_flagged:
      return cub::DeviceSelect::Flagged(storage, bytes, in, p.flags.data(), out, count, n, stream);
    case operation::compact_indices:
      return cub::DeviceSelect::If(storage, bytes, thrust::make_counting_iterator(T(0)), out, count, n,
                                   keeps_index<T>{in, p.keep}, stream);
    case operation::compact_in_place: return cub::DeviceSelect::If(storage, bytes, out, count, n, p.keep, stream);
    case operation::run_length:
      return cub::DeviceRunLengthEncode::Encode(storage, bytes, in, out, p.lengths.data(), count, n, stream);
    default:
      return cub::DevicePartition::If(storage, bytes, in, out, p.parts.second.data(), p.parts.rest.data(), count, n,
                                      p.keep, keeps_second<T>{p.keep.share}, stream);
  }
}

template <class T>
prepared prepare_cub_for_others(problem<T> const& p) {
  std::size_t bytes = 0;
  if (call_cub_for_others<T>(p, nullptr, bytes) != cudaSuccess) throw std::runtime_error("CUB refuses the problem");
  Kokkos::View<char*, memory> const storage("upsweep::perf::cub", bytes);
  prepared result;
  result.call = [=] {
    std::size_t size = bytes;
    if (call_cub_for_others<T>(p, storage.data(), size) != cudaSuccess) throw std::runtime_error("CUB failed");
  };
  if (p.op == operation::compact_in_place) result.reset = unsorted(p);
  if (has_three_parts(p.op)) result.finish = [p] { join_parts(p); };
  return result;
}

/// One call as CUB wants it, first with no storage to learn how much it needs, then to work.
template <class T>
cudaError_t call_cub(problem<T> const& p, T const* numbers, void* storage, std::size_t& bytes) {
  auto const stream = p.instance.cuda_stream();
  auto const n = static_cast<std::int32_t>(p.n());
  T const* const in = p.in.data();
  T* const out = p.out.data();
  if constexpr (sorted_type<T>) {
    int const bits = 8 * static_cast<int>(sizeof(T));
    // Of keys alone 64 bits are faster: 2^28 uint32 5431 us for 6366 (H200, 2026-11-23). Of pairs 32: 7477 us for 8529.
    if (p.op == operation::sort)
      return cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, std::int64_t(n), 0, bits, stream);
    return cub::DeviceRadixSort::SortPairs(storage, bytes, in, out, numbers, p.values.data(), n, 0, bits, stream);
  } else {
    static_cast<void>(numbers);
    std::uint64_t* const count = p.counts.data();
    // CUB has neither unique nor partition within the input: both go out of place.
    switch (result_of(p.op)) {
      case operation::compact: return cub::DeviceSelect::If(storage, bytes, in, out, count, n, p.keep, stream);
      case operation::partition: return cub::DevicePartition::If(storage, bytes, in, out, count, n, p.keep, stream);
      case operation::unique: return cub::DeviceSelect::Unique(storage, bytes, in, out, count, n, stream);
      default:
        return cub::DeviceHistogram::HistogramEven(storage, bytes, in, p.counts_of_bins.data(),
                                                   static_cast<int>(bins) + 1, T(0), static_cast<T>(bins), n, stream);
    }
  }
}

template <class T>
prepared prepare_cub(problem<T> const& p) {
  array<T> numbers;
  if (p.op == operation::sort_by_key) {
    numbers = array<T>("upsweep::perf::numbers", p.n());
    Kokkos::parallel_for("upsweep::perf::numbers", range(p.instance, p.n()),
                         fill_unsorted<T>{p.in.data(), p.out.data(), numbers.data()});
  }
  std::size_t bytes = 0;
  if (call_cub<T>(p, numbers.data(), nullptr, bytes) != cudaSuccess)
    throw std::runtime_error("CUB refuses the problem");
  Kokkos::View<char*, memory> const storage("upsweep::perf::cub", bytes);
  prepared result;
  result.call = [=] {
    std::size_t size = bytes;
    if (call_cub<T>(p, numbers.data(), storage.data(), size) != cudaSuccess) throw std::runtime_error("CUB failed");
  };
  // What goes out of place here and in place there is measured like what it stands beside: a call at a time,
  // with a fresh input.
  if (p.op == operation::unique_in_place || p.op == operation::partition_in_place) result.reset = unsorted(p);
  if (result_of(p.op) == operation::partition) result.order = order::reversed_rear;
  return result;
}

/// The operations of prepare_cub_for_others.
inline std::vector<operation> const& cub_others() {
  static std::vector<operation> const all{
      operation::compact_flagged,     operation::compact_indices, operation::partition_copy_three_way,
      operation::partition_three_way, operation::run_length,      operation::compact_in_place};
  return all;
}

template <class T>
std::vector<implementation<T>> packs<T>::by_cub() {
  if constexpr (sorted_type<T>) return {{"cub", {operation::sort, operation::sort_by_key}, prepare_cub<T>}};
  else {
    auto operations =
        operations_of<T>({operation::compact, operation::partition, operation::unique, operation::histogram},
                         {operation::unique_in_place, operation::partition_in_place});
    if constexpr (has_all_operations<T>) operations.insert(operations.end(), cub_others().begin(), cub_others().end());
    return {{"cub", operations, [](problem<T> const& p) -> prepared {
               if constexpr (has_all_operations<T>)
                 if (std::ranges::find(cub_others(), p.op) != cub_others().end()) return prepare_cub_for_others(p);
               return prepare_cub(p);
             }}};
  }
}

}  // namespace perf::pack
