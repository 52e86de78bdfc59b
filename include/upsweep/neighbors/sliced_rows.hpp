// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep {

/// Rows of a slice: as many as threads of a warp or lanes of a vector.
template <class ExecutionSpace>
inline constexpr int default_slice_rows = compat::is_gpu<ExecutionSpace> ? 32 : 8;

/// A sliced_list as kernels capture it. Places p = 0 ... rows - 1 hold the rows; places s * SliceRows and on make slice
/// s. Entry k of the row at place p is neighbors[slice_starts[p / SliceRows] + k * SliceRows + p % SliceRows].
template <class Index, int SliceRows>
struct sliced_rows {
  using index_type = Index;
  using run_type = neighbor_run<Index, SliceRows>;
  static constexpr int slice_rows = SliceRows;

  std::size_t const* slice_starts = nullptr;  ///< slices + 1 entries
  Index const* neighbors = nullptr;
  image const* images = nullptr;           ///< one an entry, or null
  std::uint32_t const* lengths = nullptr;  ///< by place, without padding; 0 behind the last row
  int const* order = nullptr;              ///< row at each place, or null where that is the place itself
  int const* places = nullptr;             ///< place of each row, or null
  std::size_t rows = 0;

  KOKKOS_FUNCTION std::size_t slices() const { return internal::divide_up<std::size_t>(rows, SliceRows); }
  /// Entries of each row of a slice, padding included.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t columns(std::size_t slice) const {
    return (slice_starts[slice + 1] - slice_starts[slice]) / SliceRows;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t row_at(std::size_t place) const {
    return order == nullptr ? place : static_cast<std::size_t>(order[place]);
  }
  KOKKOS_FORCEINLINE_FUNCTION run_type run_at(std::size_t place) const {
    std::size_t const first = slice_starts[place / SliceRows] + place % SliceRows;
    return {neighbors + first, images == nullptr ? nullptr : images + first, lengths[place]};
  }
  KOKKOS_FORCEINLINE_FUNCTION run_type run(std::size_t i) const {
    return run_at(places == nullptr ? i : static_cast<std::size_t>(places[i]));
  }
};

}  // namespace upsweep
