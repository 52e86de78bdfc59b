// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The standard library, sequential and parallel. A pair is sorted as a structure, as its users do. Where it has nothing, a plain
// loop stands for the sequential one.

#include "implementation.hpp"

#include <algorithm>

namespace perf::pack {

template <class T>
struct keyed {
  T key, value;
  friend bool operator<(keyed const& a, keyed const& b) { return a.key < b.key; }
};

template <class T>
struct fill_keyed {
  T const* in;
  keyed<T>* pairs;
  void operator()(std::size_t i) const { pairs[i] = {in[i], static_cast<T>(i)}; }
};

/// Sorts pairs with `sort`, and puts them back into keys and values where the verification looks for them.
template <class T, class Sort>
prepared sort_pairs(problem<T> const& p, Sort const& sort) {
  array<keyed<T>> const pairs(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::pairs"), p.n());
  prepared result;
  result.reset = [p, pairs] {
    Kokkos::parallel_for("upsweep::perf::unsorted", range(p.instance, p.n()), fill_keyed<T>{p.in.data(), pairs.data()});
  };
  result.call = [p, pairs, sort] { sort(pairs.data(), pairs.data() + p.n()); };
  result.finish = [p, pairs] {
    for (std::size_t i = 0; i < p.n(); ++i) p.out(i) = pairs(i).key, p.values(i) = pairs(i).value;
  };
  return result;
}

template <class T>
void pack_in_a_loop(problem<T> const& p) {
  make_records<T> const records{p.in.data()};
  std::size_t place = 0;
  for (std::size_t i = 0; i < p.n(); ++i) {
    p.offsets(i) = place;
    records(static_cast<std::int64_t>(i), [&](T const& record) { p.out(place++) = record; });
  }
  p.offsets(p.n()) = place;
}

template <class T>
prepared prepare_std(problem<T> const& p) {
  T const* const in = p.in.data();
  T const* const end = in + p.n();
  T* const out = p.out.data();
  if constexpr (sorted_type<T>) {
    if (p.op == operation::sort) return {[=] { std::sort(out, out + p.n()); }, unsorted(p)};
    return sort_pairs(p, [](keyed<T>* begin, keyed<T>* last) { std::stable_sort(begin, last); });
  } else {
    auto const count = [p, out](T const* last) { p.counts(0) = static_cast<std::uint64_t>(last - out); };
    switch (p.op) {
      case operation::compact: return {[=] { count(std::copy_if(in, end, out, p.keep)); }};
      case operation::unique: return {[=] { count(std::unique_copy(in, end, out)); }};
      case operation::partition: return {[=] { count(std::stable_partition(out, out + p.n(), p.keep)); }, unsorted(p)};
      case operation::histogram:
        return {[=] {
          std::fill_n(p.counts_of_bins.data(), bins, 0u);
          for (T const* x = in; x != end; ++x) ++p.counts_of_bins(static_cast<std::size_t>(*x));
        }};
      case operation::pack_lists: return {[=] { pack_in_a_loop(p); }};
      default: return {};
    }
  }
}

template <class T>
std::vector<implementation<T>> std_packs() {
  if constexpr (sorted_type<T>) return {{"std", {operation::sort, operation::sort_by_key}, prepare_std<T>}};
  else
    return {{"std",
             {operation::compact, operation::partition, operation::unique, operation::histogram, operation::pack_lists},
             prepare_std<T>}};
}

}  // namespace perf::pack
