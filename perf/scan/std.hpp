// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The standard library's sequential scans, one per row; with segments, and with a functor, a loop; so are
// reductions of segments.

#include "implementation.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace perf {

template <class T, class Starts>
void scan_segments_in_a_loop(Starts const& starts, T const* in, T* out, std::size_t n) {
  typename element<T>::monoid const sum;
  T state = sum.identity();
  for (std::size_t i = 0; i < n; ++i) {
    state = i == 0 || starts(i) ? in[i] : sum(state, in[i]);
    out[i] = state;
  }
}

template <class T, class Functor>
void call_for_each(T const* in, std::size_t n, Functor const& functor) {
  typename element<T>::monoid const sum;
  T state = sum.identity();
  for (std::size_t i = 0; i < n; ++i) {
    functor(static_cast<std::int64_t>(i), state, in[i]);
    state = sum(state, in[i]);
  }
}

template <class T>
void reduce_runs_in_a_loop(problem<T> const& p) {
  typename element<T>::monoid const sum;
  std::size_t runs = 0;
  for (std::size_t i = 0; i < p.n();) {
    std::int32_t const key = p.keys(i);
    T state = p.in(i);
    for (++i; i < p.n() && p.keys(i) == key; ++i) state = sum(state, p.in(i));
    p.run_keys(runs) = key;
    p.out(runs++) = state;
  }
  p.runs() = runs;
}

template <class T>
void reduce_segments_in_a_loop(problem<T> const& p) {
  typename element<T>::monoid const sum;
  T const* const in = p.in.data();
  for (std::size_t s = 0; s + 1 < p.offsets.extent(0); ++s)
    p.out(s) = std::accumulate(in + p.offsets(s), in + p.offsets(s + 1), sum.identity(), sum);
}

/// What has segments, rows or a functor.
template <class T>
prepared<T> prepare_loop(operation op, problem<T> const& p) {
  typename element<T>::monoid const sum;
  T const* const in = p.in.data();
  T* const out = p.out.data();
  switch (op) {
    case operation::inclusive_scan_by_key:
      return {
          [=] { scan_segments_in_a_loop([&](std::size_t i) { return p.keys(i) != p.keys(i - 1); }, in, out, p.n()); }};
    case operation::segmented_by_flags:
      return {[=] { scan_segments_in_a_loop([&](std::size_t i) { return p.flags(i) != 0; }, in, out, p.n()); }};
    case operation::segmented_by_offsets:
      return {[=] {
        for (std::size_t s = 0; s + 1 < p.offsets.extent(0); ++s)
          std::inclusive_scan(in + p.offsets(s), in + p.offsets(s + 1), out + p.offsets(s), sum);
      }};
    case operation::reduce_by_key: return {[=] { reduce_runs_in_a_loop(p); }};
    case operation::segmented_reduce: return {[=] { reduce_segments_in_a_loop(p); }};
    case operation::exclusive_scan_for_each: return {[=] { call_for_each(in, p.n(), store_prefix<T>{out}); }};
    default:
      return {[=, length = row_length(op)] {
        for (std::size_t i = 0; i < p.n(); i += length) std::inclusive_scan(in + i, in + i + length, out + i, sum);
      }};
  }
}

template <class T>
std::vector<implementation<T>> scans<T>::by_std(engine_names const&) {
  return {{"std", "",
           operations_of<T>({operation::exclusive_scan, operation::inclusive_scan, operation::inclusive_scan_by_key,
                             operation::reduce},
                            {operation::exclusive_scan_for_each, operation::segmented_by_flags,
                             operation::segmented_by_offsets, operation::batched_32, operation::batched_1024,
                             operation::batched_65536, operation::reduce_by_key, operation::segmented_reduce}),
           [](operation op, problem<T> const& p) -> prepared<T> {
             typename element<T>::monoid const sum;
             T const* const in = p.in.data();
             T const* const end = in + p.n();
             T* const out = p.out.data();
             if (op == operation::reduce) return {[=] { p.total() = std::reduce(in, end, sum.identity(), sum); }};
             if (op == operation::inclusive_scan) return {[=] { std::inclusive_scan(in, end, out, sum); }};
             if (op != operation::exclusive_scan) return prepare_loop(op, p);
             return {[=] { std::exclusive_scan(in, end, out, sum.identity(), sum); }};
           }}};
}

}  // namespace perf
