// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <utility>

namespace upsweep::neighbors::detail {

template <class Sum>
KOKKOS_FORCEINLINE_FUNCTION void add_to(Sum& sum, Sum const& other) {
  sum += other;
}
template <class T, std::size_t N>
KOKKOS_FORCEINLINE_FUNCTION void add_to(Kokkos::Array<T, N>& sum, Kokkos::Array<T, N> const& other) {
  for (std::size_t d = 0; d < N; ++d) sum[d] += other[d];
}

/// Sums that start at Sum{} and are joined by +=, arrays by component.
template <class Sum>
struct added_sums {
  using value_type = Sum;
  KOKKOS_FORCEINLINE_FUNCTION Sum identity() const { return Sum{}; }
  KOKKOS_FORCEINLINE_FUNCTION Sum operator()(Sum const& left, Sum const& right) const {
    Sum sum = left;
    add_to(sum, right);
    return sum;
  }
};

/// The total of lanes, from left to right.
template <class Sums, class Monoid>
KOKKOS_FORCEINLINE_FUNCTION typename Monoid::value_type total_of_lanes(Sums const& sums, int lanes,
                                                                       Monoid const& monoid) {
  auto sum = sums.get(0);
  for (int lane = 1; lane < lanes; ++lane) sum = monoid(sum, sums.get(lane));
  return sum;
}

/// One sum for each lane.
template <class Sum, int Lanes>
struct lane_sums {
  Sum sums[Lanes];

  KOKKOS_FORCEINLINE_FUNCTION Sum get(int lane) const { return sums[lane]; }
  KOKKOS_FORCEINLINE_FUNCTION void set_if(bool condition, int lane, Sum const& sum) {
    sums[lane] = condition ? sum : sums[lane];
  }
};

/// Components of arrays are kept apart, lanes side by side: compilers do not find that by themselves, and without it a
/// loop over lanes does not become vectors (row_reduction.hpp, makes_vectors).
template <class T, std::size_t N, int Lanes>
struct lane_sums<Kokkos::Array<T, N>, Lanes> {
  using array = Kokkos::Array<T, N>;
  T sums[N][Lanes];

  KOKKOS_FORCEINLINE_FUNCTION array get(int lane) const { return get(lane, std::make_index_sequence<N>()); }
  KOKKOS_FORCEINLINE_FUNCTION void set_if(bool condition, int lane, array const& sum) {
    set_if(condition, lane, sum, std::make_index_sequence<N>());
  }

 private:
  // Written out, not looped: a loop within the lanes' loop would have to be unrolled before that can be vectorised.
  template <std::size_t... D>
  KOKKOS_FORCEINLINE_FUNCTION array get(int lane, std::index_sequence<D...>) const {
    return {sums[D][lane]...};
  }
  template <std::size_t... D>
  KOKKOS_FORCEINLINE_FUNCTION void set_if(bool condition, int lane, array const& sum, std::index_sequence<D...>) {
    ((sums[D][lane] = condition ? sum[D] : sums[D][lane]), ...);
  }
};

/// Joins sums in Kokkos' nested reductions.
template <class Sum, class Monoid = added_sums<Sum>>
struct sum_reducer {
  using reducer = sum_reducer;
  using value_type = Sum;
  using result_view_type = Kokkos::View<Sum, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

  explicit KOKKOS_FUNCTION sum_reducer(Sum& result, Monoid const& monoid = {}) : result_(&result), monoid_(monoid) {}
  KOKKOS_FUNCTION void join(Sum& sum, Sum const& other) const { sum = monoid_(sum, other); }
  KOKKOS_FUNCTION void init(Sum& sum) const { sum = monoid_.identity(); }
  KOKKOS_FUNCTION Sum& reference() const { return *result_; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(result_); }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }

 private:
  Sum* result_;
  Monoid monoid_;
};

}  // namespace upsweep::neighbors::detail
