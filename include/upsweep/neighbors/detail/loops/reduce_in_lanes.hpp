// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/loops/lane_sums.hpp>
#include <upsweep/neighbors/detail/loops/load_step.hpp>
#include <upsweep/neighbors/detail/loops/row_reduction.hpp>
#include <upsweep/neighbors/neighbor_lanes.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

#if defined(UPSWEEP_HAS_NEIGHBOR_LANES)

/// One sum per lane of a vector: numbers, and arrays of them.
template <class Sum>
struct vector_sums;
template <>
struct vector_sums<double> {
  double_lanes values;

  KOKKOS_FORCEINLINE_FUNCTION explicit vector_sums(double sum) : values(double_lanes{} + sum) {}
  KOKKOS_FORCEINLINE_FUNCTION double get(int lane) const { return values[lane]; }
  KOKKOS_FORCEINLINE_FUNCTION void choose(lane_mask first, double_lanes const& others) {
    values = first ? values : others;
  }
};
template <std::size_t N>
struct vector_sums<Kokkos::Array<double, N>> {
  Kokkos::Array<double_lanes, N> values;

  KOKKOS_FORCEINLINE_FUNCTION explicit vector_sums(Kokkos::Array<double, N> const& sum) {
    for (std::size_t d = 0; d < N; ++d) values[d] = double_lanes{} + sum[d];
  }
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<double, N> get(int lane) const {
    Kokkos::Array<double, N> sum;
    for (std::size_t d = 0; d < N; ++d) sum[d] = values[d][lane];
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION void choose(lane_mask first, Kokkos::Array<double_lanes, N> const& others) {
    for (std::size_t d = 0; d < N; ++d) values[d] = first ? values[d] : others[d];
  }
};

template <class F, class Rows, class Sum, class ExecutionSpace>
inline constexpr bool reduces_in_lanes =
    takes_lanes<F> && !compat::is_gpu<ExecutionSpace> && requires { sizeof(vector_sums<Sum>); };

/// CPUs, a functor that takes lanes: one thread per row, neighbour k in partial sum k mod 4.
template <class Loop>
struct reduce_row_in_lanes {
  Loop loop;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t place) const {
    using index = typename Loop::rows_type::index_type;
    using sum = typename Loop::sum;
    std::size_t const i = loop.rows.row_at(static_cast<std::size_t>(place));
    auto const run = loop.rows.run_at(static_cast<std::size_t>(place));
    vector_sums<sum> sums(loop.monoid.identity());
    index const* k = run.first;
    index const* const end = k + run.count;
    for (std::size_t p = run.first_pair; end - k >= lane_count; k += lane_count, p += lane_count)
      load_and_call<index, sum>(loop.f, i, neighbor_lanes<index>{{k[0], k[1], k[2], k[3]}},
                                pair_lanes{{p, p + 1, p + 2, p + 3}}, sums.values);
    if (k != end) {
      // The rest, padded with the first of it.
      auto const left = end - k;
      auto with_rest = sums.values;
      std::size_t const lane_1 = left > 1 ? 1 : 0, lane_2 = left > 2 ? 2 : 0;
      std::size_t const p = run.first_pair + static_cast<std::size_t>(k - run.first);
      load_and_call<index, sum>(loop.f, i, neighbor_lanes<index>{{k[0], k[lane_1], k[lane_2], k[0]}},
                                pair_lanes{{p, p + lane_1, p + lane_2, p}}, with_rest);
      sums.choose(lane_mask{0, 1, 2, 3} >= left, with_rest);
    }
    loop.finish(i, total_of_lanes(sums, lane_count, loop.monoid));
  }
};

#else

template <class F, class Rows, class Sum, class ExecutionSpace>
inline constexpr bool reduces_in_lanes = false;
template <class Loop>
struct reduce_row_in_lanes;

#endif

}  // namespace upsweep::neighbors::detail
