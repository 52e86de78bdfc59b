// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Kokkos::parallel_scan, which is exclusive_scan_for_each as well: what it calls in its last pass stores. Segments are
// reduced as rows of sparse matrices are: a team has several, and on GPUs each segment some lanes. Its device backends
// combine operands in any order, so it is wrong for matrices there; the verification says so.

#include "implementation.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

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

/// On GPUs a segment's lanes have at most 6 elements each, as in Kokkos Kernels' products of sparse matrices and
/// vectors, and a team has 256 lanes.
template <class T>
struct kokkos_segment_functor {
  static constexpr int lanes = on_host ? 1 : static_cast<int>(std::bit_ceil((key_length + 5) / 6));
  static constexpr int segments_per_team = on_host ? 64 : 256 / lanes;
  static_assert(lanes <= 32);
  using policy = Kokkos::TeamPolicy<space>;
  T const* in;
  std::int64_t const* offsets;
  T* out;
  std::size_t segments;

  KOKKOS_FUNCTION void operator()(typename policy::member_type const& member) const {
    std::size_t const first = static_cast<std::size_t>(member.league_rank()) * segments_per_team;
    std::size_t const last = Kokkos::min(segments, first + segments_per_team);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, first, last), [&](std::size_t s) {
      T sum{};
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(member, offsets[s], offsets[s + 1]),
          [&](std::int64_t i, T& state) { state += in[i]; }, sum);
      Kokkos::single(Kokkos::PerThread(member), [&] { out[s] = sum; });
    });
  }
};

template <class T>
prepared<T> reduce_segments_with_kokkos(problem<T> const& p) {
  using functor = kokkos_segment_functor<T>;
  functor const all{p.in.data(), p.offsets.data(), p.out.data(), segments_of(p.n())};
  auto const teams = static_cast<int>((all.segments + functor::segments_per_team - 1) / functor::segments_per_team);
  typename functor::policy const policy(p.instance, teams, on_host ? 1 : functor::segments_per_team, functor::lanes);
  return {[=] { Kokkos::parallel_for("upsweep::perf::kokkos", policy, all); }};
}

template <class T>
std::vector<implementation<T>> scans<T>::by_kokkos(engine_names const&) {
  return {{"kokkos", "",
           operations_of<T>({operation::exclusive_scan, operation::inclusive_scan, operation::exclusive_scan_with_total,
                             operation::reduce},
                            {operation::exclusive_scan_for_each, operation::segmented_reduce}),
           [](operation op, problem<T> const& p) -> prepared<T> {
             Kokkos::RangePolicy<space, Kokkos::IndexType<std::size_t>> const range(p.instance, 0, p.n());
             kokkos_scan_functor<T, false> const exclusive{p.in.data(), p.out.data(), {}};
             kokkos_scan_functor<T, true> const inclusive{p.in.data(), p.out.data(), {}};
             if constexpr (has_all_operations<T>)
               if (op == operation::segmented_reduce) return reduce_segments_with_kokkos(p);
             if (op == operation::reduce) {
               kokkos_reduce_functor<T> const all{p.in.data(), {}};
               return {[=] { Kokkos::parallel_reduce("upsweep::perf::kokkos", range, all, p.total); }};
             }
             if (op == operation::inclusive_scan)
               return {[=] { Kokkos::parallel_scan("upsweep::perf::kokkos", range, inclusive); }};
             if (op == operation::exclusive_scan_with_total)
               return {[=] { Kokkos::parallel_scan("upsweep::perf::kokkos", range, exclusive, p.total); }};
             return {[=] { Kokkos::parallel_scan("upsweep::perf::kokkos", range, exclusive); }};
           }}};
}

}  // namespace perf
