// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace perf {

enum class operation {
  copy,
  exclusive_scan,
  inclusive_scan,
  exclusive_scan_with_total,
  exclusive_scan_for_each,
  inclusive_scan_by_key,
  segmented_by_flags,
  segmented_by_offsets,
  batched_32,
  batched_1024,
  batched_65536,
  reduce,
  reduce_by_key,
  segmented_reduce
};

/// All but the copy.
inline constexpr operation timed_operations[] = {operation::exclusive_scan,
                                                 operation::inclusive_scan,
                                                 operation::exclusive_scan_with_total,
                                                 operation::exclusive_scan_for_each,
                                                 operation::inclusive_scan_by_key,
                                                 operation::segmented_by_flags,
                                                 operation::segmented_by_offsets,
                                                 operation::batched_32,
                                                 operation::batched_1024,
                                                 operation::batched_65536,
                                                 operation::reduce,
                                                 operation::reduce_by_key,
                                                 operation::segmented_reduce};

inline char const* name_of(operation op) {
  switch (op) {
    case operation::copy: return "copy";
    case operation::exclusive_scan: return "exclusive_scan";
    case operation::inclusive_scan: return "inclusive_scan";
    case operation::exclusive_scan_with_total: return "exclusive_scan_with_total";
    case operation::exclusive_scan_for_each: return "exclusive_scan_for_each";
    case operation::inclusive_scan_by_key: return "inclusive_scan_by_key";
    case operation::segmented_by_flags: return "segmented_inclusive_scan_flags";
    case operation::segmented_by_offsets: return "segmented_inclusive_scan_offsets";
    case operation::batched_32: return "batched_inclusive_scan_32";
    case operation::batched_1024: return "batched_inclusive_scan_1024";
    case operation::batched_65536: return "batched_inclusive_scan_65536";
    case operation::reduce: return "reduce";
    case operation::reduce_by_key: return "reduce_by_key";
    case operation::segmented_reduce: return "segmented_reduce";
  }
  return "";
}

/// The types that have all operations. The others have those without segments, rows and functors, and the scan by key:
/// each operation of each type is compiled for each implementation.
template <class T>
inline constexpr bool has_all_operations = std::is_same_v<T, std::int32_t> || std::is_same_v<T, double>;

/// `always` and, where T has all operations, `more`.
template <class T>
std::vector<operation> operations_of(std::vector<operation> always, std::vector<operation> const& more) {
  if constexpr (has_all_operations<T>) always.insert(always.end(), more.begin(), more.end());
  return always;
}

/// Elements of a segment, whether keys, flags or offsets say where it starts.
inline constexpr std::size_t key_length = 37;
/// Elements of the longest input that has segments.
inline constexpr std::size_t most_keys = std::size_t(1) << 28;
/// Bytes that keys, flags and offsets take for an element, rounded up.
inline constexpr std::size_t segment_bytes = sizeof(std::int32_t) + sizeof(std::int8_t) + 1;

/// The segments that n elements have, and their offsets.
constexpr std::size_t segments_of(std::size_t n) { return (n + key_length - 1) / key_length; }
constexpr std::size_t offsets_of(std::size_t n) { return segments_of(n) + 1; }

/// Elements of a row of a batched scan; 0 for the others.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t row_length(operation op) {
  switch (op) {
    case operation::batched_32: return 32;
    case operation::batched_1024: return 1024;
    case operation::batched_65536: return 65536;
    default: return 0;
  }
}

/// Whether an operation has one result a segment.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool reduces_segments(operation op) {
  return op == operation::reduce_by_key || op == operation::segmented_reduce;
}

/// Whether an operation reads keys, flags or offsets.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool has_segments(operation op) {
  return reduces_segments(op) || op == operation::inclusive_scan_by_key || op == operation::segmented_by_flags ||
         op == operation::segmented_by_offsets;
}

/// The scan restarts after so many elements; 0: never.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t restart_length(operation op) {
  return has_segments(op) ? key_length : row_length(op);
}

KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_inclusive(operation op) {
  return op == operation::inclusive_scan || restart_length(op) != 0;
}

/// Whether an input of n elements is one for the operation.
constexpr bool takes(operation op, std::size_t n) {
  if (has_segments(op)) return n <= most_keys;
  return row_length(op) == 0 || n % row_length(op) == 0;
}

/// Bytes that an operation has to move.
template <class T>
double bytes_of(operation op, std::size_t n) {
  auto const count = static_cast<double>(n);
  double const elements = count * sizeof(T);
  switch (op) {
    case operation::reduce: return elements;
    case operation::inclusive_scan_by_key: return 2 * elements + count * sizeof(std::int32_t);
    case operation::segmented_by_flags: return 2 * elements + count * sizeof(std::int8_t);
    case operation::segmented_by_offsets:
      return 2 * elements + static_cast<double>(offsets_of(n)) * sizeof(std::int64_t);
    case operation::reduce_by_key:
      return elements + count * sizeof(std::int32_t) +
             static_cast<double>(segments_of(n)) * (sizeof(T) + sizeof(std::int32_t));
    case operation::segmented_reduce:
      return elements + static_cast<double>(segments_of(n)) * sizeof(T) +
             static_cast<double>(offsets_of(n)) * sizeof(std::int64_t);
    default: return 2 * elements;
  }
}

}  // namespace perf
