// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <string>

namespace upsweep::pack::detail {

/// The largest `last` with offsets[last] - offsets[first] <= records, by bisection. One thread.
struct rows_within_kernel {
  std::size_t const* offsets;
  std::size_t rows, first, records;

  KOKKOS_FUNCTION void operator()(int, std::size_t& result) const {
    std::size_t const start = offsets[first];
    std::size_t fits = first, beyond = rows + 1;
    while (beyond - fits > 1) {
      std::size_t const middle = fits + (beyond - fits) / 2;
      if (offsets[middle] - start <= records) fits = middle;
      else beyond = middle;
    }
    result += fits;
  }
};

template <class ExecutionSpace>
std::size_t rows_within(ExecutionSpace const& space, std::size_t const* offsets, std::size_t rows, std::size_t first,
                        std::size_t records) {
  internal::require(first <= rows, "list_plan::rows_within", [&] {
    return "first_row = " + std::to_string(first) + ", but there are " + std::to_string(rows) + " rows";
  });
  if (first == rows) return rows;
  std::size_t result = 0;
  rows_within_kernel const kernel{offsets, rows, first, records};
  auto const name = [] { return internal::label("list_plan", "rows_within"); };
  if constexpr (compat::launches_wait<ExecutionSpace>)
    compat::run_on_this_thread(space, name, [&] { kernel(0, result); });
  else Kokkos::parallel_reduce(name(), Kokkos::RangePolicy<ExecutionSpace>(space, 0, 1), kernel, result);
  return result;
}

}  // namespace upsweep::pack::detail
