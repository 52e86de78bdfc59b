// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "implementation.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace perf {

/// Index of the first wrong element; n for a wrong total.
inline constexpr std::size_t all_right = std::numeric_limits<std::size_t>::max();
/// Up to so many elements a result is compared with a serial scan on the host.
inline constexpr std::size_t largest_serial = std::size_t(1) << 20;

template <class T>
T value_at(T const* total) {
  T found;
  Kokkos::deep_copy(Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&found),
                    Kokkos::View<T const, memory, Kokkos::MemoryUnmanaged>(total));
  return found;
}

template <class T>
std::size_t verify_serially(operation op, problem<T> const& p, T const* total) {
  auto const in = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), p.in);
  auto const out = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), p.out);
  typename element<T>::monoid const monoid;
  T state = monoid.identity();
  for (std::size_t i = 0; i < p.n(); ++i) {
    if (restart_length(op) != 0 && i % restart_length(op) == 0) state = monoid.identity();
    T const next = monoid(state, in(i));
    T const right = op == operation::copy ? in(i) : is_inclusive(op) ? next : state;
    if (op != operation::reduce && !(out(i) == right)) return i;
    state = next;
  }
  if (op != operation::exclusive_scan_with_total && op != operation::reduce) return all_right;
  return value_at(total) == state ? all_right : p.n();
}

/// Folds stretches of the input in order, a thread each.
template <class T>
struct fold_stretch {
  static constexpr std::size_t length = 4096;
  T const* in;
  T* folds;
  std::size_t n;
  typename element<T>::monoid monoid;

  KOKKOS_FUNCTION void operator()(std::size_t s) const {
    T state = monoid.identity();
    for (std::size_t i = s * length; i < Kokkos::min(n, (s + 1) * length); ++i) state = monoid(state, in[i]);
    folds[s] = state;
  }
};

template <class T>
std::size_t verify_reduction(problem<T> const& p, T const* total) {
  using stretch = fold_stretch<T>;
  std::size_t const stretches = (p.n() + stretch::length - 1) / stretch::length;
  Kokkos::View<T*, memory> const folds("upsweep::perf::folds", stretches);
  Kokkos::parallel_for("upsweep::perf::verify",
                       Kokkos::RangePolicy<space, Kokkos::IndexType<std::size_t>>(p.instance, 0, stretches),
                       stretch{p.in.data(), folds.data(), p.n(), {}});
  p.instance.fence("upsweep::perf::verify");
  auto const of_stretch = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), folds);
  typename element<T>::monoid const monoid;
  T state = monoid.identity();
  for (std::size_t s = 0; s < stretches; ++s) state = monoid(state, of_stretch(s));
  return value_at(total) == state ? all_right : p.n();
}

/// Each element against the one before: with the first one right, all are, by induction. The n-th is the total.
template <class T>
struct check_step {
  operation op;
  T const *in, *out, *total;
  std::size_t n;
  typename element<T>::monoid monoid;

  KOKKOS_FUNCTION bool right(std::size_t i) const {
    if (i == n) return *total == monoid(out[n - 1], in[n - 1]);
    if (op == operation::copy) return out[i] == in[i];
    bool const starts = i == 0 || (restart_length(op) != 0 && i % restart_length(op) == 0);
    if (is_inclusive(op)) return out[i] == (starts ? in[i] : monoid(out[i - 1], in[i]));
    return out[i] == (i == 0 ? monoid.identity() : monoid(out[i - 1], in[i - 1]));
  }
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& first_wrong) const {
    if (i < first_wrong && !right(i)) first_wrong = i;
  }
};

template <class T>
std::size_t verify_by_steps(operation op, problem<T> const& p, T const* total) {
  std::size_t const end = p.n() + (op == operation::exclusive_scan_with_total ? 1 : 0);
  std::size_t first_wrong = all_right;
  Kokkos::parallel_reduce(
      "upsweep::perf::verify", Kokkos::RangePolicy<space, Kokkos::IndexType<std::size_t>>(p.instance, 0, end),
      check_step<T>{op, p.in.data(), p.out.data(), total, p.n(), {}}, Kokkos::Min<std::size_t>(first_wrong));
  return first_wrong;
}

/// Each segment's fold, by a thread each, beside what was stored for it.
template <class T>
struct check_segment {
  bool by_key;
  T const *in, *out;
  std::int32_t const* run_keys;
  std::size_t n;
  typename element<T>::monoid monoid;

  KOKKOS_FUNCTION void operator()(std::size_t s, std::size_t& first_wrong) const {
    if (s >= first_wrong) return;
    T state = monoid.identity();
    for (std::size_t i = s * key_length; i < Kokkos::min(n, (s + 1) * key_length); ++i) state = monoid(state, in[i]);
    if (!(out[s] == state) || (by_key && run_keys[s] != static_cast<std::int32_t>(s))) first_wrong = s;
  }
};

template <class T>
std::size_t verify_segments(operation op, problem<T> const& p) {
  std::size_t const segments = segments_of(p.n());
  bool const by_key = op == operation::reduce_by_key;
  if (by_key) {
    std::uint64_t found = 0;
    Kokkos::deep_copy(found, p.runs);
    if (found != segments) return p.n();
  }
  std::size_t first_wrong = all_right;
  Kokkos::parallel_reduce("upsweep::perf::verify",
                          Kokkos::RangePolicy<space, Kokkos::IndexType<std::size_t>>(p.instance, 0, segments),
                          check_segment<T>{by_key, p.in.data(), p.out.data(), p.run_keys.data(), p.n(), {}},
                          Kokkos::Min<std::size_t>(first_wrong));
  return first_wrong;
}

/// The index of the first wrong element of p.out, n for the total or the number of runs, all_right if there is none.
/// Waits for the instance.
template <class T>
std::size_t verify(operation op, problem<T> const& p, T const* total) {
  p.instance.fence("upsweep::perf::verify");
  if (reduces_segments(op)) return verify_segments(op, p);
  if (p.n() <= largest_serial) return verify_serially(op, p, total);
  return op == operation::reduce ? verify_reduction(p, total) : verify_by_steps(op, p, total);
}

}  // namespace perf
