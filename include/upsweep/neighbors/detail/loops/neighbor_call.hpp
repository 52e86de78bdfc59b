// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// What loops over neighbours need of a list's handle.
template <class Rows>
concept row_handle = requires(Rows const& rows, std::size_t i) {
  typename Rows::index_type;
  rows.run(i);
  rows.run_at(i);
  rows.row_at(i);
  rows.rows;
};

/// f(j, partial...) or, where f takes it, f(j, image, partial...).
template <class Run, class F, class... Partial>
KOKKOS_FORCEINLINE_FUNCTION void call_with_neighbor(Run const& run, std::size_t k, F const& f, Partial&... partial) {
  using index = typename Run::index_type;
  if constexpr (std::is_invocable_v<F const&, index, image, Partial&...>) {
    f(run[k], run.image_of(k), partial...);
  } else {
    static_assert(
        std::is_invocable_v<F const&, index, Partial&...>,
        "upsweep: the functor is called with a neighbour j, or with j and its image, and in reductions with a "
        "reference to a partial result behind them.");
    f(run[k], partial...);
  }
}

}  // namespace upsweep::neighbors::detail
