// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/rows/rows.hpp>

#include <cstddef>

namespace upsweep::mpi::detail {

/// The rows first, first + 1, ... as a list of rows, for pack.
struct rows_from {
  std::size_t first, count;
  KOKKOS_FUNCTION std::size_t operator()(std::size_t i) const { return first + i; }
  std::size_t extent(int) const { return count; }
};

/// Adds element e of the packed rows to row rows(e / columns), column e % columns. A row may come several times.
template <class View, class Rows>
struct add_packed_rows {
  typename View::non_const_value_type const* in;
  Rows rows;
  View view;
  std::size_t columns;
  KOKKOS_FUNCTION void operator()(std::size_t e) const {
    Kokkos::atomic_add(&element(view, rows(e / columns), e % columns), in[e]);
  }
};

/// Comes after rows have moved, so it does not fail. Its kernel's name is so short that Kokkos takes no memory for it:
/// a kernel that adds cannot be launched again, as launch_without_memory does.
template <class ExecutionSpace, class View, class Rows>
void add_rows(ExecutionSpace const& space, std::byte const* from, Rows const& rows, View const& view) {
  using T = typename View::non_const_value_type;
  std::size_t const width = columns(view);
  if (rows.extent(0) * width == 0) return;
  upsweep::internal::for_each_index(space, "upsweep::add", rows.extent(0) * width,
                                    add_packed_rows<View, Rows>{reinterpret_cast<T const*>(from), rows, view, width});
}

}  // namespace upsweep::mpi::detail
