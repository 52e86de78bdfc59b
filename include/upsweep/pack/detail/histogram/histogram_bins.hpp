// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/element_chunk.hpp>
#include <upsweep/base/internal/sequence.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

/// The bin of an element, from a View of bins or a functor; a number that is no bin for none.
template <class In>
struct bin_of_element {
  In in;
  KOKKOS_FUNCTION auto operator()(std::size_t i) const { return in.load(i); }
};
template <class Functor>
struct bin_of_index {
  Functor functor;
  KOKKOS_FUNCTION auto operator()(std::size_t i) const { return functor(i); }
};

/// A bin as an Index, in which all bins are below half of its range. What is none of them, negative ones too, is no
/// smaller than their number.
template <class Index, class Bin>
KOKKOS_FORCEINLINE_FUNCTION Index index_of_bin(Bin bin, Index bins) {
  if constexpr (sizeof(Bin) <= sizeof(Index)) return static_cast<Index>(bin);
  else return static_cast<std::size_t>(bin) < bins ? static_cast<Index>(bin) : static_cast<Index>(~Index(0));
}

// The bins of n elements as a GPU's teams load them: `loads` loads of `per_load` elements each, and `edges`
// elements beside them.

/// Bins that are computed, or do not lie side by side.
template <class BinOf>
struct loads_of_bins {
  using bin = std::remove_cvref_t<std::invoke_result_t<BinOf const&, std::size_t>>;
  using loaded = bin;
  static constexpr int per_load = 1;
  static constexpr bool has_edges = false;
  template <class Shape>
  static constexpr int at_once = Shape::computed;

  BinOf bin_of;
  std::size_t loads;

  loads_of_bins(BinOf const& b, std::size_t n) : bin_of(b), loads(n) {}

  KOKKOS_FORCEINLINE_FUNCTION loaded load(std::size_t i) const { return bin_of(i); }
  KOKKOS_FORCEINLINE_FUNCTION static bin take(loaded const& x, int) { return x; }
};

/// Bins side by side in memory: 16 bytes a load. What lies in front of the first whole 16 bytes and behind the
/// last are edges.
template <class T>
  requires(sizeof(T) <= 16)
struct loads_of_bins<bin_of_element<internal::contiguous_sequence<T const>>> {
  using bin = T;
  using loaded = internal::element_chunk<static_cast<int>(sizeof(T))>;
  static constexpr int per_load = loaded::size;
  static constexpr bool has_edges = true;
  template <class Shape>
  static constexpr int at_once = Shape::loads;

  T const* data;
  std::size_t n, head, loads, edges;

  loads_of_bins(bin_of_element<internal::contiguous_sequence<T const>> const& b, std::size_t count)
      : data(b.in.data), n(count) {
    std::size_t const past = reinterpret_cast<std::uintptr_t>(data) % 16;
    head = std::min(n, (16 - past) % 16 / sizeof(T));
    loads = (n - head) / per_load;
    edges = n - loads * per_load;
  }

  KOKKOS_FORCEINLINE_FUNCTION loaded load(std::size_t i) const {
    return reinterpret_cast<loaded const*>(data + head)[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION static bin take(loaded const& x, int k) { return x.template take<T>(k); }
  KOKKOS_FORCEINLINE_FUNCTION bin edge(std::size_t k) const { return data[k < head ? k : n - edges + k]; }
};

}  // namespace upsweep::pack::detail
