// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/label.hpp>
#include <upsweep/neighbors/detail/loops/neighbor_call.hpp>
#include <upsweep/neighbors/detail/loops/row_reduction.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep {

/// A force loop: for every row i of a list adds up f(i, j, sum) over its neighbours and hands the sum to finish(i, sum):
/// `reduce_rows<Kokkos::Array<double, 3>>(space, list.view(), pair_force{x}, store_force{forces});`
///
/// rows: neighbor_rows or sliced_rows. f may take the image behind j: f(i, j, image, sum). i is a std::int64_t; Sum starts as
/// Sum{} and is an arithmetic type, a Kokkos::Array of one, or any type with operator+=.
/// Pre: f changes nothing but its sum: vectors call it for padding, too, with a neighbour of some row, and drop what it adds.
/// Cost: reads the list once; one launch. CPUs, InVectors: the rows of a slice, or eight partial sums of a row, side by side, for
///   the compiler to make vectors of where Sum is arithmetic or an array; by default where GCC does so for an f with a condition:
///   with AVX-512, or with -fno-trapping-math. Else one thread per row. GPUs: one thread per row of a sliced list, eight lanes per row of
///   compressed ones.
/// Order: of additions, fixed by layout, backend and InVectors: the same bits on each run.
/// Sync: asynchronous; the list must outlive the kernel.
template <class Sum, bool InVectors = detail::makes_vectors, class ExecutionSpace, class Rows, class F, class Finish>
  requires detail::row_handle<Rows>
void reduce_rows(ExecutionSpace const& space, Rows const& rows, F const& f, Finish const& finish, std::string_view name = {}) {
  static_assert(Kokkos::is_execution_space_v<ExecutionSpace>, "upsweep: the first argument is an execution-space instance.");
  static_assert(detail::takes_row_pair<F, typename Rows::index_type, Sum>,
                "upsweep::reduce_rows: the functor is called as f(i, j, sum) or f(i, j, image, sum), i a std::int64_t.");
  static_assert(std::is_invocable_v<Finish const&, std::int64_t, Sum const&>,
                "upsweep::reduce_rows: finish is called as finish(std::int64_t i, sum).");
  if (rows.rows == 0) return;
  auto const text = label("reduce_rows", "rows", name);
  using range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  auto const n = static_cast<std::int64_t>(rows.rows);
  if constexpr (detail::sliced_handle<Rows>) {
    if constexpr (compat::is_gpu<ExecutionSpace> || !InVectors)
      Kokkos::parallel_for(text, range(space, 0, n), detail::reduce_place<Sum, Rows, F, Finish>{rows, f, finish});
    else
      Kokkos::parallel_for(text, range(space, 0, static_cast<std::int64_t>(rows.slices())),
                           detail::reduce_slice<Sum, Rows, F, Finish>{rows, f, finish});
  } else if constexpr (compat::is_gpu<ExecutionSpace>) {
    using kernel = detail::reduce_row_by_warp_lanes<Sum, Rows, F, Finish>;
    int const teams = narrow<int>(divide_up<std::int64_t>(n, kernel::rows_per_team), "reduce_rows", "teams");
    Kokkos::parallel_for(text, Kokkos::TeamPolicy<ExecutionSpace>(space, teams, kernel::rows_per_team, kernel::lanes),
                         kernel{rows, f, finish});
  } else if constexpr (!InVectors) {
    Kokkos::parallel_for(text, range(space, 0, n), detail::reduce_place<Sum, Rows, F, Finish>{rows, f, finish});
  } else {
    Kokkos::parallel_for(text, range(space, 0, n), detail::reduce_row_by_vectors<Sum, Rows, F, Finish>{rows, f, finish});
  }
}

}  // namespace upsweep
