// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Verification by kernels of Kokkos alone, of any size, without our own scans.

#include "implementation.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace perf::pack {

/// A sum by which multisets of numbers differ: two of 64 bits, of mixed elements.
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
  Kokkos::parallel_reduce("upsweep::perf::verify", range(instance, n), sum_fingerprints<Functor>{functor}, all.a,
                          all.b);
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
    return result_of(op) == operation::unique || op == operation::run_length ? i == 0 || in[i] != in[i - 1]
                                                                             : keep(in[i]);
  }
};

/// Counts the elements that are not where their rank says. In a counter of its own: not all of a scan's last pass
/// ends in its total.
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
      T const wanted = first.op == operation::compact_indices ? static_cast<T>(i) : first.in[i];
      if (place >= n || out[place] != wanted) Kokkos::atomic_inc(wrong);
    }
    if (is_first) ++before;
  }
};

/// Two counts in one scan.
struct two_counts {
  std::uint64_t first = 0, second = 0;
  KOKKOS_FORCEINLINE_FUNCTION two_counts& operator+=(two_counts const& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
};

/// Whether an element is one of the second of three parts.
template <class T>
struct goes_second {
  T const* in;
  keeps<T> first;
  keeps_second<T> second;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return !first(in[i]) && second(in[i]); }
};

/// The same for three parts.
template <class T>
struct check_three_parts {
  using value_type = two_counts;
  goes_second<T> second;
  T const* out;
  std::uint64_t ends_first, ends_second;
  std::uint64_t* wrong;

  KOKKOS_FUNCTION void operator()(std::size_t i, two_counts& before, bool final) const {
    bool const is_first = second.first(second.in[i]), is_second = second(i);
    if (final) {
      std::uint64_t const place = is_first    ? before.first
                                  : is_second ? ends_first + before.second
                                              : ends_second + i - before.first - before.second;
      if (out[place] != second.in[i]) Kokkos::atomic_inc(wrong);
    }
    before += {is_first ? 1u : 0u, is_second ? 1u : 0u};
  }
};

/// Each length against the input: it is not empty, and leads from the start of a run to the start of the next one.
/// Their number is known to be right.
template <class T>
struct check_lengths {
  goes_first<T> first;
  std::int32_t const* lengths;
  std::uint64_t runs, n;
  std::uint64_t* wrong;

  KOKKOS_FUNCTION void operator()(std::size_t r, std::uint64_t& before, bool final) const {
    auto const end = before + static_cast<std::uint64_t>(lengths[r]);
    if (final) {
      bool const starts = before < n && first(before), ends = r + 1 == runs ? end == n : end < n;
      if (lengths[r] <= 0 || !starts || !ends) Kokkos::atomic_inc(wrong);
    }
    before = end;
  }
};

template <class T>
struct wrong_item {
  std::size_t const* offsets;
  std::size_t rows;
  T const* row_of;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    auto const row = static_cast<std::size_t>(row_of[i]);
    return row >= rows || i < offsets[row] || i >= offsets[row + 1];
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
  operation const op = result_of(p.op);
  bool const some = op == operation::compact || op == operation::compact_flagged || op == operation::compact_indices ||
                    op == operation::unique || op == operation::run_length;
  if (some || (op == operation::pack_lists && o == order::any)) Kokkos::deep_copy(found, Kokkos::subview(p.counts, 0));
  else if (op == operation::pack_lists || makes_unique_rows(op)) {
    std::size_t last = 0;
    Kokkos::deep_copy(last, Kokkos::subview(p.offsets, p.offsets.extent(0) - 1));
    found = last;
  }
  return found;
}

inline std::string misplaced(array<std::uint64_t> const& wrong) {
  std::uint64_t found = 0;
  Kokkos::deep_copy(found, Kokkos::subview(wrong, 0));
  return found == 0 ? "" : std::to_string(found) + " elements are not in their places";
}

template <class T>
std::string wrong_selection(problem<T> const& p, order o) {
  goes_first<T> const first{p.op, p.in.data(), p.keep};
  std::uint64_t const front = count(p.instance, p.n(), first);
  std::uint64_t found = 0;
  Kokkos::deep_copy(found, Kokkos::subview(p.counts, 0));
  if (found != front) return "counted " + std::to_string(found) + ", not " + std::to_string(front);
  if (o == order::any) {
    bool const same =
        sum(p.instance, front, add_elements<T>{p.out.data()}) == sum(p.instance, p.n(), add_first<T>{first});
    return same ? "" : "other elements than those wanted";
  }
  array<std::uint64_t> const wrong("upsweep::perf::wrong", 1);
  bool const rear = result_of(p.op) == operation::partition || p.op == operation::partition_copy;
  Kokkos::parallel_scan(
      "upsweep::perf::verify", range(p.instance, p.n()),
      check_places<T>{first, p.out.data(), front, p.n(), rear, o == order::reversed_rear, wrong.data()});
  return misplaced(wrong);
}

template <class T>
std::string wrong_three_parts(problem<T> const& p) {
  goes_second<T> const second{p.in.data(), p.keep, {p.keep.share}};
  std::uint64_t const firsts = count(p.instance, p.n(), goes_first<T>{p.op, p.in.data(), p.keep});
  std::uint64_t const seconds = count(p.instance, p.n(), second);
  auto const counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), p.counts);
  if (counts(0) != firsts || counts(1) != seconds)
    return "counted " + std::to_string(counts(0)) + " and " + std::to_string(counts(1)) + ", not " +
           std::to_string(firsts) + " and " + std::to_string(seconds);
  array<std::uint64_t> const wrong("upsweep::perf::wrong", 1);
  Kokkos::parallel_scan("upsweep::perf::verify", range(p.instance, p.n()),
                        check_three_parts<T>{second, p.out.data(), firsts, firsts + seconds, wrong.data()});
  return misplaced(wrong);
}

template <class T>
std::string wrong_runs(problem<T> const& p) {
  auto const what = wrong_selection(p, order::stable);
  if (!what.empty()) return what;
  std::uint64_t const runs = produced(p, order::stable);
  array<std::uint64_t> const wrong("upsweep::perf::wrong", 1);
  goes_first<T> const first{p.op, p.in.data(), p.keep};
  Kokkos::parallel_scan("upsweep::perf::verify", range(p.instance, runs),
                        check_lengths<T>{first, p.lengths.data(), runs, p.n(), wrong.data()});
  return misplaced(wrong).empty() ? "" : "wrong lengths";
}

template <class T>
std::string wrong_lists(problem<T> const& p, order o) {
  make_records<T> const records{p.in.data()};
  std::uint64_t const found = produced(p, o);
  std::size_t total = 0;
  Kokkos::parallel_reduce("upsweep::perf::verify", range(p.instance, p.n()), record_count<T>{records}, total);
  if (found != total) return std::to_string(found) + " records, not " + std::to_string(total);
  if (o == order::any)
    return sum(p.instance, found, add_elements<T>{p.out.data()}) == sum(p.instance, p.n(), add_records<T>{records})
               ? ""
               : "other records";
  std::size_t const rows =
      count(p.instance, p.n(), wrong_row<T>{records, p.offsets.data(), p.out.data(), p.out.extent(0)});
  return rows == 0 ? "" : std::to_string(rows) + " rows are wrong";
}

/// Whether the output has the input's elements, in any order.
template <class T>
bool same_elements(problem<T> const& p) {
  return sum(p.instance, p.n(), add_elements<T>{p.out.data()}) == sum(p.instance, p.n(), add_elements<T>{p.in.data()});
}

template <class T>
std::string wrong_sort(problem<T> const& p, order o) {
  if (std::size_t const wrong = count(p.instance, p.n(), descends<T>{p.out.data()}))
    return std::to_string(wrong) + " keys descend";
  if (p.op == operation::sort) return same_elements(p) ? "" : "other keys";
  wrong_pair<T> const pairs{p.in.data(), p.out.data(), p.values.data(), p.n(), o == order::stable};
  if (std::size_t const wrong = count(p.instance, p.n(), pairs)) return std::to_string(wrong) + " values are wrong";
  return sum(p.instance, p.n(), add_elements<T>{p.values.data()}) == sum(p.instance, p.n(), add_numbers{})
             ? ""
             : "other values";
}

/// What is wrong with the results; empty if nothing is. Waits for the instance.
template <class T>
std::string verify(problem<T> const& p, order o) {
  p.instance.fence("upsweep::perf::verify");
  if constexpr (sorted_type<T>) {
    if (p.op == operation::copy) return same_elements(p) ? "" : "no copy";
    return wrong_sort(p, o);
  } else {
    switch (result_of(p.op)) {
      case operation::sort_and_unique_rows:
      case operation::sort_and_unique_short_rows:
      case operation::mesh_graph: {
        std::size_t const rows = count(p.instance, p.table.rows,
                                       wrong_unique_row<T>{p.table, p.offsets.data(), p.out.data(), p.out.extent(0)});
        return rows == 0 ? "" : std::to_string(rows) + " rows are wrong";
      }
      case operation::pack_lists: return wrong_lists(p, o);
      case operation::partition_copy_three_way:
      case operation::partition_three_way: return wrong_three_parts(p);
      case operation::run_length: return wrong_runs(p);
      case operation::load_balance: {
        std::size_t const items =
            count(p.instance, p.n(), wrong_item<T>{p.offsets.data(), p.offsets.extent(0) - 1, p.out.data()});
        return items == 0 ? "" : std::to_string(items) + " items have a wrong row";
      }
      case operation::histogram:
        return sum(p.instance, p.n(), add_bin<T>{p.in.data()}) ==
                       sum(p.instance, bins, add_bin_counts{p.counts_of_bins.data()})
                   ? ""
                   : "wrong counts";
      case operation::copy: return same_elements(p) ? "" : "no copy";
      default: return wrong_selection(p, o);
    }
  }
}

}  // namespace perf::pack
