// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../backend.hpp"
#include "../scan/types.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace perf::pack {

enum class operation {
  copy,
  compact,
  compact_flagged,
  compact_indices,
  partition,
  partition_copy,
  partition_copy_three_way,
  partition_three_way,
  unique,
  run_length,
  histogram,
  pack_lists,
  load_balance,
  sort,
  sort_by_key,
  compact_in_place,
  unique_in_place,
  partition_in_place,
  pack_lists_fused,
  sort_and_unique_rows,
  sort_and_unique_short_rows,
  mesh_graph
};

/// All but the copy.
inline constexpr operation timed_operations[] = {operation::compact,
                                                 operation::compact_flagged,
                                                 operation::compact_indices,
                                                 operation::partition,
                                                 operation::partition_copy,
                                                 operation::partition_copy_three_way,
                                                 operation::partition_three_way,
                                                 operation::unique,
                                                 operation::run_length,
                                                 operation::histogram,
                                                 operation::pack_lists,
                                                 operation::load_balance,
                                                 operation::sort,
                                                 operation::sort_by_key,
                                                 operation::compact_in_place,
                                                 operation::unique_in_place,
                                                 operation::partition_in_place,
                                                 operation::pack_lists_fused,
                                                 operation::sort_and_unique_rows,
                                                 operation::sort_and_unique_short_rows,
                                                 operation::mesh_graph};

inline char const* name_of(operation op) {
  switch (op) {
    case operation::copy: return "copy";
    case operation::compact: return "compact";
    case operation::compact_flagged: return "compact_flagged";
    case operation::compact_indices: return "compact_indices";
    case operation::partition: return "partition";
    case operation::partition_copy: return "partition_copy";
    case operation::partition_copy_three_way: return "partition_copy_three_way";
    case operation::partition_three_way: return "partition_three_way";
    case operation::unique: return "unique";
    case operation::run_length: return "run_length";
    case operation::histogram: return "histogram";
    case operation::pack_lists: return "pack_lists";
    case operation::load_balance: return "load_balance";
    case operation::sort: return "sort";
    case operation::sort_by_key: return "sort_by_key";
    case operation::compact_in_place: return "compact_in_place";
    case operation::unique_in_place: return "unique_in_place";
    case operation::partition_in_place: return "partition_in_place";
    case operation::pack_lists_fused: return "pack_lists_fused";
    case operation::sort_and_unique_rows: return "sort_and_unique_rows";
    case operation::sort_and_unique_short_rows: return "sort_and_unique_short_rows";
    case operation::mesh_graph: return "mesh_graph";
  }
  return "";
}

/// The operation with the same result: out of place for one in place, in two passes for fused lists.
KOKKOS_FORCEINLINE_FUNCTION constexpr operation result_of(operation op) {
  switch (op) {
    case operation::compact_in_place: return operation::compact;
    case operation::unique_in_place: return operation::unique;
    case operation::partition_in_place: return operation::partition;
    case operation::pack_lists_fused: return operation::pack_lists;
    default: return op;
  }
}

/// Whether an operation has three parts.
constexpr bool has_three_parts(operation op) {
  return op == operation::partition_three_way || op == operation::partition_copy_three_way;
}

/// Whether an operation makes rows that hold each value once.
constexpr bool makes_unique_rows(operation op) {
  return op == operation::sort_and_unique_rows || op == operation::sort_and_unique_short_rows ||
         op == operation::mesh_graph;
}

/// The type that has all operations but sorts. Each operation of each type is compiled for each implementation.
template <class T>
inline constexpr bool has_all_operations = std::is_same_v<T, std::int32_t>;

/// `always` and, where T has all operations, `more`.
template <class T>
std::vector<operation> operations_of(std::vector<operation> always, std::vector<operation> const& more) {
  if constexpr (has_all_operations<T>) always.insert(always.end(), more.begin(), more.end());
  return always;
}

/// All operations of T but sorts.
template <class T>
std::vector<operation> all_operations() {
  return operations_of<T>(
      {operation::compact, operation::partition, operation::unique, operation::histogram, operation::pack_lists},
      {operation::compact_flagged, operation::compact_indices, operation::partition_copy,
       operation::partition_copy_three_way, operation::partition_three_way, operation::run_length,
       operation::load_balance, operation::compact_in_place, operation::unique_in_place, operation::partition_in_place,
       operation::pack_lists_fused, operation::sort_and_unique_rows, operation::sort_and_unique_short_rows,
       operation::mesh_graph});
}

/// Keys of sorts are unsigned, elements of the other operations signed.
template <class T>
inline constexpr bool sorted_type = std::is_unsigned_v<T>;

inline constexpr std::size_t bins = 256;

/// Runs of 1 to 73 elements, 37 on average: every stretch of 74 is cut in two at random. run_start(r) is the first
/// element of run r; run_of(i) is the run of element i.
inline constexpr std::size_t two_runs = 74;
KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t cut_of(std::size_t stretch) {
  return 1 + splitmix64(stretch) % (two_runs - 1);
}
KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t run_start(std::size_t r) {
  return r / 2 * two_runs + (r % 2 == 0 ? 0 : cut_of(r / 2));
}
KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t run_of(std::size_t i) {
  std::size_t const stretch = i / two_runs;
  return 2 * stretch + (i % two_runs >= cut_of(stretch) ? 1 : 0);
}
/// Runs up to the end of the last stretch that has one of n elements: the last ones may be empty.
constexpr std::size_t runs_of(std::size_t n) { return (n + two_runs - 1) / two_runs * 2; }

/// Element i of an operation's input: random bits; for `unique` 0 or 1, so that every second element begins a run, for
/// `histogram` one of the bins, and for `run_length` the number of its run.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T element_of(operation of, std::size_t i) {
  operation const op = result_of(of);
  if (op == operation::run_length) return static_cast<T>(run_of(i));
  auto const bits = splitmix64(i);
  return static_cast<T>(op == operation::unique ? bits & 1 : op == operation::histogram ? bits & (bins - 1) : bits);
}

/// Which elements stay: `share` of 65536.
template <class T>
struct keeps {
  std::uint32_t share;
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(T const& x) const {
    return (static_cast<std::uint32_t>(x) & 0xffff) < share;
  }
};

/// Which of the others go to the second part of three: a share of them as large.
template <class T>
struct keeps_second {
  std::uint32_t share;
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(T const& x) const {
    return ((static_cast<std::uint32_t>(x) >> 16) & 0xffff) < share;
  }
};

/// Which indices stay: those of the elements that do. What compact_indices asks.
template <class T>
struct keeps_index {
  T const* in;
  keeps<T> keep;
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(std::size_t i) const { return keep(in[i]); }
};

/// The records of an item, none to seven: what the operation `pack_lists` packs.
template <class T>
struct make_records {
  T const* in;

  KOKKOS_FORCEINLINE_FUNCTION std::size_t count(std::size_t i) const { return static_cast<std::size_t>(in[i]) & 7; }
  KOKKOS_FORCEINLINE_FUNCTION T record(std::size_t i, std::size_t k) const {
    using bits = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<bits>(in[i]) + static_cast<bits>(k * 0x9e3779b9u));
  }
  template <class Emit>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::size_t i, Emit const& emit) const {
    for (std::size_t k = 0; k < count(i); ++k) emit(record(i, k));
  }
};

/// Records for n items that are surely enough: 3.5 an item, and ten standard deviations.
inline std::size_t most_records(std::size_t n) {
  return n * 7 / 2 + 24 * static_cast<std::size_t>(Kokkos::sqrt(static_cast<double>(n))) + 64;
}

}  // namespace perf::pack
