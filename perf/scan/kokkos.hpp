// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Kokkos::parallel_scan, which is exclusive_scan_for_each as well: what it calls in its last pass stores. Its device backends combine
// operands in any order, so it is wrong for matrices there; the verification says so.

#include "implementation.hpp"

namespace perf {

template <class T, bool Inclusive>
struct kokkos_scan_functor {
  using value_type = T;
  T const* in;
  T* out;
  typename element<T>::monoid monoid;

  KOKKOS_FUNCTION void init(T& state) const { state = monoid.identity(); }
  KOKKOS_FUNCTION void join(T& left, T const& right) const { left = monoid(left, right); }
  KOKKOS_FUNCTION void operator()(std::size_t i, T& state, bool final) const {
    T const next = monoid(state, in[i]);
    if (final) out[i] = Inclusive ? next : state;
    state = next;
  }
};

template <class T>
struct kokkos_reduce_functor {
  using value_type = T;
  T const* in;
  typename element<T>::monoid monoid;

  KOKKOS_FUNCTION void init(T& state) const { state = monoid.identity(); }
  KOKKOS_FUNCTION void join(T& left, T const& right) const { left = monoid(left, right); }
  KOKKOS_FUNCTION void operator()(std::size_t i, T& state) const { state = monoid(state, in[i]); }
};

template <class T>
std::vector<implementation<T>> kokkos_scans(engine_names const&) {
  return {{"kokkos", "",
           operations_of<T>(
               {operation::exclusive_scan, operation::inclusive_scan, operation::exclusive_scan_with_total, operation::reduce},
               {operation::exclusive_scan_for_each}),
           [](operation op, problem<T> const& p) -> prepared<T> {
             Kokkos::RangePolicy<space, Kokkos::IndexType<std::size_t>> const range(p.instance, 0, p.n());
             kokkos_scan_functor<T, false> const exclusive{p.in.data(), p.out.data(), {}};
             kokkos_scan_functor<T, true> const inclusive{p.in.data(), p.out.data(), {}};
             if (op == operation::reduce) {
               kokkos_reduce_functor<T> const all{p.in.data(), {}};
               return {[=] { Kokkos::parallel_reduce("upsweep::perf::kokkos", range, all, p.total); }};
             }
             if (op == operation::inclusive_scan) return {[=] { Kokkos::parallel_scan("upsweep::perf::kokkos", range, inclusive); }};
             if (op == operation::exclusive_scan_with_total)
               return {[=] { Kokkos::parallel_scan("upsweep::perf::kokkos", range, exclusive, p.total); }};
             return {[=] { Kokkos::parallel_scan("upsweep::perf::kokkos", range, exclusive); }};
           }}};
}

}  // namespace perf
