// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Verification by kernels of Kokkos alone, of any size, without our own scans.

#include "implementation.hpp"

#include <string>

namespace perf::pack {

/// A sum that tells multisets of numbers apart: two of 64 bits, of mixed elements.
struct fingerprint {
  std::uint64_t a = 0, b = 0;
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void add(T x) {
    auto const bits = splitmix64(static_cast<std::uint64_t>(x));
    a += bits;
    b += splitmix64(bits ^ 0x5bf03635u);
  }
  KOKKOS_FORCEINLINE_FUNCTION fingerprint& operator+=(fingerprint const& other) {
    a += other.a;
    b += other.b;
    return *this;
  }
  friend bool operator==(fingerprint const&, fingerprint const&) = default;
};

/// Sums over i < n what functor(i, fingerprint&) adds.
template <class Functor>
struct sum_fingerprints {
  Functor functor;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::uint64_t& a, std::uint64_t& b) const {
    fingerprint one;
    functor(i, one);
    a += one.a;
    b += one.b;
  }
};
template <class Functor>
fingerprint sum(space const& instance, std::size_t n, Functor const& functor) {
  fingerprint all;
  Kokkos::parallel_reduce("upsweep::perf::verify", range(instance, n), sum_fingerprints<Functor>{functor}, all.a, all.b);
  return all;
}

/// How many i < n functor(i) holds for.
template <class Functor>
struct count_true {
  Functor functor;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& count) const { count += functor(i) ? 1 : 0; }
};
template <class Functor>
std::size_t count(space const& instance, std::size_t n, Functor const& functor) {
  std::size_t found = 0;
  Kokkos::parallel_reduce("upsweep::perf::verify", range(instance, n), count_true<Functor>{functor}, found);
  return found;
}

/// Whether an element is one of those that go to the front.
template <class T>
struct goes_first {
  operation op;
  T const* in;
  keeps<T> keep;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    return op == operation::unique ? i == 0 || in[i] != in[i - 1] : keep(in[i]);
  }
};

/// Counts the elements that are not where their rank says. In a counter of its own: not all of a scan's last pass ends in its total.
template <class T>
struct check_places {
  goes_first<T> first;
  T const* out;
  std::uint64_t front, n;
  bool rear, reversed;
  std::uint64_t* wrong;

  KOKKOS_FUNCTION void operator()(std::size_t i, std::uint64_t& before, bool final) const {
    bool const is_first = first(i);
    if (final && (is_first || rear)) {
      std::uint64_t const others = i - before;
      std::uint64_t const place = is_first ? before : reversed ? n - 1 - others : front + others;
      if (place >= n || out[place] != first.in[i]) Kokkos::atomic_inc(wrong);
    }
    if (is_first) ++before;
  }
};

template <class T>
struct add_elements {
  T const* x;
  KOKKOS_FUNCTION void operator()(std::size_t i, fingerprint& to) const { to.add(x[i]); }
};
template <class T>
struct add_first {
  goes_first<T> first;
  KOKKOS_FUNCTION void operator()(std::size_t i, fingerprint& to) const {
    if (first(i)) to.add(first.in[i]);
  }
};
struct add_numbers {
  KOKKOS_FUNCTION void operator()(std::size_t i, fingerprint& to) const { to.add(i); }
};
template <class T>
struct add_records {
  make_records<T> records;
  KOKKOS_FUNCTION void operator()(std::size_t i, fingerprint& to) const {
    records(static_cast<std::int64_t>(i), [&](T const& record) { to.add(record); });
  }
};
/// Bins as if each element were two random numbers that belong to its bin: equal sums are equal counts.
template <class T>
struct add_bin {
  T const* in;
  KOKKOS_FUNCTION void operator()(std::size_t i, fingerprint& to) const { to.add(in[i]); }
};
struct add_bin_counts {
  std::uint32_t const* counts;
  KOKKOS_FUNCTION void operator()(std::size_t bin, fingerprint& to) const {
    to.add(bin);
    to.a *= counts[bin];
    to.b *= counts[bin];
  }
};

template <class T>
struct record_count {
  make_records<T> records;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& sum) const { sum += records.count(i); }
};
template <class T>
struct wrong_row {
  make_records<T> records;
  std::size_t const* offsets;
  T const* out;
  std::size_t room;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    std::size_t const begin = offsets[i], count = records.count(i);
    if ((i == 0 && begin != 0) || offsets[i + 1] - begin != count || begin + count > room) return true;
    for (std::size_t k = 0; k < count; ++k)
      if (out[begin + k] != records.record(i, k)) return true;
    return false;
  }
};

template <class T>
struct descends {
  T const* keys;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i > 0 && keys[i] < keys[i - 1]; }
};
/// Values are the numbers of the keys: ascending among equal keys where the sort is stable, and then each occurs once.
template <class T>
struct wrong_pair {
  T const *in, *keys, *values;
  std::size_t n;
  bool stable;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    auto const number = static_cast<std::size_t>(values[i]);
    if (number >= n || in[number] != keys[i]) return true;
    return stable && i > 0 && keys[i] == keys[i - 1] && values[i] <= values[i - 1];
  }
};

/// What the operation produced: elements, or records.
template <class T>
std::uint64_t produced(problem<T> const& p, order o) {
  std::uint64_t found = p.n();
  if (p.op == operation::compact || p.op == operation::unique || (p.op == operation::pack_lists && o == order::any))
    Kokkos::deep_copy(found, Kokkos::subview(p.counts, 0));
  else if (p.op == operation::pack_lists) {
    std::size_t last = 0;
    Kokkos::deep_copy(last, Kokkos::subview(p.offsets, p.n()));
    found = last;
  }
  return found;
}

template <class T>
std::string wrong_selection(problem<T> const& p, order o) {
  goes_first<T> const first{p.op, p.in.data(), p.keep};
  std::uint64_t const front = count(p.instance, p.n(), first);
  std::uint64_t found = 0;
  Kokkos::deep_copy(found, Kokkos::subview(p.counts, 0));
  if (found != front) return "counted " + std::to_string(found) + ", not " + std::to_string(front);
  if (o == order::any) {
    bool const same = sum(p.instance, front, add_elements<T>{p.out.data()}) == sum(p.instance, p.n(), add_first<T>{first});
    return same ? "" : "other elements than those wanted";
  }
  array<std::uint64_t> const wrong("upsweep::perf::wrong", 1);
  bool const rear = p.op == operation::partition;
  Kokkos::parallel_scan("upsweep::perf::verify", range(p.instance, p.n()),
                        check_places<T>{first, p.out.data(), front, p.n(), rear, o == order::reversed_rear, wrong.data()});
  std::uint64_t misplaced = 0;
  Kokkos::deep_copy(misplaced, Kokkos::subview(wrong, 0));
  return misplaced == 0 ? "" : std::to_string(misplaced) + " elements are not in their places";
}

template <class T>
std::string wrong_lists(problem<T> const& p, order o) {
  make_records<T> const records{p.in.data()};
  std::uint64_t const found = produced(p, o);
  std::size_t total = 0;
  Kokkos::parallel_reduce("upsweep::perf::verify", range(p.instance, p.n()), record_count<T>{records}, total);
  if (found != total) return std::to_string(found) + " records, not " + std::to_string(total);
  if (o == order::any)
    return sum(p.instance, found, add_elements<T>{p.out.data()}) == sum(p.instance, p.n(), add_records<T>{records}) ? "" : "other records";
  std::size_t const rows = count(p.instance, p.n(), wrong_row<T>{records, p.offsets.data(), p.out.data(), p.out.extent(0)});
  return rows == 0 ? "" : std::to_string(rows) + " rows are wrong";
}

template <class T>
std::string wrong_sort(problem<T> const& p, order o) {
  if (std::size_t const wrong = count(p.instance, p.n(), descends<T>{p.out.data()})) return std::to_string(wrong) + " keys descend";
  if (p.op == operation::sort)
    return sum(p.instance, p.n(), add_elements<T>{p.out.data()}) == sum(p.instance, p.n(), add_elements<T>{p.in.data()}) ? "" : "other keys";
  wrong_pair<T> const pairs{p.in.data(), p.out.data(), p.values.data(), p.n(), o == order::stable};
  if (std::size_t const wrong = count(p.instance, p.n(), pairs)) return std::to_string(wrong) + " values are wrong";
  return sum(p.instance, p.n(), add_elements<T>{p.values.data()}) == sum(p.instance, p.n(), add_numbers{}) ? "" : "other values";
}

/// What is wrong with the results; empty if nothing is. Waits for the instance.
template <class T>
std::string verify(problem<T> const& p, order o) {
  p.instance.fence("upsweep::perf::verify");
  if constexpr (sorted_type<T>) {
    if (p.op == operation::copy)
      return sum(p.instance, p.n(), add_elements<T>{p.out.data()}) == sum(p.instance, p.n(), add_elements<T>{p.in.data()}) ? "" : "no copy";
    return wrong_sort(p, o);
  } else {
    switch (p.op) {
      case operation::pack_lists: return wrong_lists(p, o);
      case operation::histogram:
        return sum(p.instance, p.n(), add_bin<T>{p.in.data()}) == sum(p.instance, bins, add_bin_counts{p.counts_of_bins.data()}) ? "" : "wrong counts";
      case operation::copy:
        return sum(p.instance, p.n(), add_elements<T>{p.out.data()}) == sum(p.instance, p.n(), add_elements<T>{p.in.data()}) ? "" : "no copy";
      default: return wrong_selection(p, o);
    }
  }
}

}  // namespace perf::pack
