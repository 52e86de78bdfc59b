// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../backend.hpp"
#include "../scan/types.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace perf::pack {

enum class operation { copy, compact, partition, unique, histogram, pack_lists, sort, sort_by_key };

inline char const* name_of(operation op) {
  switch (op) {
    case operation::copy: return "copy";
    case operation::compact: return "compact";
    case operation::partition: return "partition";
    case operation::unique: return "unique";
    case operation::histogram: return "histogram";
    case operation::pack_lists: return "pack_lists";
    case operation::sort: return "sort";
    case operation::sort_by_key: return "sort_by_key";
  }
  return "";
}

/// Keys of sorts are unsigned, elements of the other operations signed.
template <class T>
inline constexpr bool sorted_type = std::is_unsigned_v<T>;

inline constexpr std::size_t bins = 256;

/// Element i of an operation's input: random bits, but for `unique` 0 or 1, so that every second element begins a run, and for
/// `histogram` one of the bins.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T element_of(operation op, std::size_t i) {
  auto const bits = splitmix64(i);
  return static_cast<T>(op == operation::unique ? bits & 1 : op == operation::histogram ? bits & (bins - 1) : bits);
}

/// Which elements stay: `share` of 65536.
template <class T>
struct keeps {
  std::uint32_t share;
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(T const& x) const { return (static_cast<std::uint32_t>(x) & 0xffff) < share; }
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
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t i, Emit const& emit) const {
    auto const item = static_cast<std::size_t>(i);
    for (std::size_t k = 0; k < count(item); ++k) emit(record(item, k));
  }
};

/// Records for n items that are surely enough: 3.5 an item, and ten standard deviations.
inline std::size_t most_records(std::size_t n) { return n * 7 / 2 + 24 * static_cast<std::size_t>(Kokkos::sqrt(static_cast<double>(n))) + 64; }

}  // namespace perf::pack
