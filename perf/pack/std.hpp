// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The standard library, sequential and parallel. A pair is sorted as a structure, as its users do. Where it has
// nothing, a plain loop is the sequential one.

#include "implementation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

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
void encode_in_a_loop(problem<T> const& p) {
  std::size_t runs = 0;
  for (std::size_t i = 0; i < p.n(); ++i) {
    if (i == 0 || p.in(i) != p.in(i - 1)) p.out(runs) = p.in(i), p.lengths(runs++) = 0;
    ++p.lengths(runs - 1);
  }
  p.counts(0) = runs;
}

/// Items for which `stays` holds, in order.
template <class T, class Stays, class Item>
void select_in_a_loop(problem<T> const& p, Stays const& stays, Item const& item) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < p.n(); ++i)
    if (stays(i)) p.out(place++) = item(i);
  p.counts(0) = place;
}

/// Which elements go: what remove_if asks.
template <class T>
struct drops {
  keeps<T> keep;
  bool operator()(T const& x) const { return !keep(x); }
};

/// `end_of(begin, end)` works within the input and returns where the front of the result ends.
template <class T, class EndOf>
prepared in_place(problem<T> const& p, EndOf const& end_of) {
  return {[=] { p.counts(0) = static_cast<std::uint64_t>(end_of(p.out.data(), p.out.data() + p.n()) - p.out.data()); },
          unsorted(p)};
}

/// `split(begin, end, predicate)` twice: all in two, and the second part in two.
template <class T, class Split>
void split_twice(problem<T> const& p, Split const& split) {
  T* const end = p.out.data() + p.n();
  T* const second = split(p.out.data(), end, p.keep);
  T* const rest = split(second, end, keeps_second<T>{p.keep.share});
  p.counts(0) = static_cast<std::uint64_t>(second - p.out.data());
  p.counts(1) = static_cast<std::uint64_t>(rest - second);
}

/// Each part into an array of its own.
template <class T>
void split_in_a_loop(problem<T> const& p) {
  keeps_second<T> const second{p.keep.share};
  std::size_t places[3] = {};
  for (std::size_t i = 0; i < p.n(); ++i) {
    T const x = p.in(i);
    if (p.keep(x)) p.out(places[0]++) = x;
    else if (second(x)) p.parts.second(places[1]++) = x;
    else p.parts.rest(places[2]++) = x;
  }
  p.counts(0) = places[0];
  p.counts(1) = places[1];
}

/// What only some types have.
template <class T>
prepared prepare_other_loops(problem<T> const& p) {
  T const* const in = p.in.data();
  switch (p.op) {
    case operation::compact_flagged:
      return {[=] {
        select_in_a_loop(p, [&](std::size_t i) { return p.flags(i) != 0; }, [&](std::size_t i) { return in[i]; });
      }};
    case operation::compact_indices:
      return {[=] {
        select_in_a_loop(
            p, [&](std::size_t i) { return p.keep(in[i]); }, [](std::size_t i) { return static_cast<T>(i); });
      }};
    case operation::partition_copy:
      return {[=] {
                auto const ends = std::partition_copy(in, in + p.n(), p.out.data(), p.values.data(), p.keep);
                p.counts(0) = static_cast<std::uint64_t>(ends.first - p.out.data());
              },
              {},
              order::stable,
              [p] { join_rest(p); }};
    case operation::partition_copy_three_way:
      return {[=] { split_in_a_loop(p); }, {}, order::stable, [p] { join_parts(p); }};
    case operation::partition_three_way:
      return {[=] {
                split_twice(p,
                            [](T* begin, T* end, auto const& goes) { return std::stable_partition(begin, end, goes); });
              },
              unsorted(p)};
    case operation::run_length: return {[=] { encode_in_a_loop(p); }};
    case operation::compact_in_place:
      return in_place(p, [=](T* begin, T* end) { return std::remove_if(begin, end, drops<T>{p.keep}); });
    case operation::unique_in_place: return in_place(p, [](T* begin, T* end) { return std::unique(begin, end); });
    case operation::partition_in_place:
      return in_place(p, [=](T* begin, T* end) { return std::stable_partition(begin, end, p.keep); });
    case operation::pack_lists_fused: return {[=] { pack_in_a_loop(p); }};
    case operation::load_balance:
      return {[=] {
        for (std::size_t r = 0; r + 1 < p.offsets.extent(0); ++r)
          std::fill(p.out.data() + p.offsets(r), p.out.data() + p.offsets(r + 1), static_cast<T>(r));
      }};
    default: return {};
  }
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
      case operation::partition:
        return in_place(p, [=](T* begin, T* last) { return std::stable_partition(begin, last, p.keep); });
      case operation::histogram:
        return {[=] {
          std::fill_n(p.counts_of_bins.data(), bins, 0u);
          for (T const* x = in; x != end; ++x) ++p.counts_of_bins(static_cast<std::size_t>(*x));
        }};
      case operation::pack_lists: return {[=] { pack_in_a_loop(p); }};
      default:
        if constexpr (has_all_operations<T>) return prepare_other_loops(p);
        else return {};
    }
  }
}

template <class T>
std::vector<implementation<T>> packs<T>::by_std() {
  auto operations = all_operations<T>();
  std::erase_if(operations, makes_unique_rows);
  return {one_implementation<T>("std", operations, prepare_std<T>)};
}

}  // namespace perf::pack
