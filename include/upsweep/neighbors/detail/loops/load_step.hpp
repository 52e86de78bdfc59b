// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace upsweep::neighbors::detail {

/// Whether f says what it reads for a neighbour, by load(i, j).
template <class F, class Index>
concept has_load_step = requires(F const& f, std::int64_t i, Index j) { f.load(i, j); };

template <class F, class Index>
using loaded_t = std::remove_cvref_t<decltype(std::declval<F const&>().load(std::int64_t(), std::declval<Index>()))>;

/// Whether what f loads can wait in registers.
template <class F, class Index>
constexpr bool loads_plain() {
  if constexpr (has_load_step<F, Index>) return std::is_trivially_copyable_v<loaded_t<F, Index>>;
  else return true;
}
template <class F, class Index>
inline constexpr bool load_is_plain = loads_plain<F, Index>();

/// Whether f(i, j, ..., sum) can be called; what the load step has loaded stands in front of sum.
template <class F, class Index, class Sum, class... Image>
constexpr bool takes_neighbor() {
  if constexpr (has_load_step<F, Index>)
    return std::is_invocable_v<F const&, std::int64_t, Index, Image..., loaded_t<F, Index> const&, Sum&>;
  else return std::is_invocable_v<F const&, std::int64_t, Index, Image..., Sum&>;
}
template <class F, class Index, class Sum>
inline constexpr bool takes_row_image = takes_neighbor<F, Index, Sum, image>();
template <class F, class Index, class Sum>
inline constexpr bool takes_row_pair = takes_row_image<F, Index, Sum> || takes_neighbor<F, Index, Sum>();

/// Calls f for neighbour k, which is j. loaded: what f has loaded for it, where it has a load step.
template <class F, class Run, class Sum, class... Loaded>
KOKKOS_FORCEINLINE_FUNCTION void call_with_pair(F const& f, std::int64_t i, Run const& run, std::size_t k,
                                                typename Run::index_type j, Sum& sum, Loaded const&... loaded) {
  if constexpr (takes_row_image<F, typename Run::index_type, Sum>) f(i, j, run.image_of(k), loaded..., sum);
  else f(i, j, loaded..., sum);
}

/// Loads for one neighbour, or for several in lanes, and calls f.
template <class F, class J, class Sum>
KOKKOS_FORCEINLINE_FUNCTION void load_and_call(F const& f, std::int64_t i, J const& j, Sum& sum) {
  if constexpr (has_load_step<F, J>) f(i, j, f.load(i, j), sum);
  else f(i, j, sum);
}

/// Adds neighbour k of a run.
template <class F, class Run, class Sum>
KOKKOS_FORCEINLINE_FUNCTION void add_neighbor(F const& f, std::int64_t i, Run const& run, std::size_t k, Sum& sum) {
  auto const j = run[k];
  if constexpr (has_load_step<F, typename Run::index_type>) call_with_pair(f, i, run, k, j, sum, f.load(i, j));
  else call_with_pair(f, i, run, k, j, sum);
}

/// Adds the neighbours first, first + step, first + 2 step, ... of a run, in this order. With a load step two
/// neighbours are loaded ahead of the one that f works on, and the index of a third: a GPU's thread waits where it
/// uses what it has loaded, and does not look ahead by itself.
template <class F, class Run, class Sum>
KOKKOS_FORCEINLINE_FUNCTION void add_neighbors(F const& f, std::int64_t i, Run const& run, std::size_t first,
                                               std::size_t step, Sum& sum) {
  using index = typename Run::index_type;
  if constexpr (has_load_step<F, index>) {
    std::size_t const count = run.count;
    if (first >= count) return;
    index j = run[first], j1 = j, j2 = j;
    if (first + step < count) j1 = run[first + step];
    if (first + 2 * step < count) j2 = run[first + 2 * step];
    auto loaded = f.load(i, j), loaded1 = loaded;
    if (first + step < count) loaded1 = f.load(i, j1);
    for (std::size_t k = first; k < count; k += step) {
      index j3 = j2;
      if (k + 3 * step < count) j3 = run[k + 3 * step];
      auto loaded2 = loaded1;
      if (k + 2 * step < count) loaded2 = f.load(i, j2);
      call_with_pair(f, i, run, k, j, sum, loaded);
      j = j1, j1 = j2, j2 = j3;
      loaded = loaded1, loaded1 = loaded2;
    }
  } else {
    for (std::size_t k = first; k < run.count; k += step) add_neighbor(f, i, run, k, sum);
  }
}

}  // namespace upsweep::neighbors::detail
