// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What a user of Kokkos alone writes: one parallel_scan that counts in its first pass and writes in its second; for
// lists a pass that counts, a scan of the counts, and a pass that writes; atomic additions for a histogram; a search
// for each item's row; Kokkos' own sorts.

#include "implementation.hpp"

#include <Kokkos_Sort.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perf::pack {

template <class T, bool Unique>
struct scan_and_write {
  T const* in;
  T* out;
  keeps<T> keep;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::uint64_t& place, bool final) const {
    bool const stays = Unique ? i == 0 || in[i] != in[i - 1] : keep(in[i]);
    if (stays && final) out[place] = in[i];
    if (stays) ++place;
  }
};

template <class T>
struct scan_and_write_indices {
  keeps_index<T> keep;
  T* out;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::uint64_t& place, bool final) const {
    bool const stays = keep(static_cast<std::int64_t>(i));
    if (stays && final) out[place] = static_cast<T>(i);
    if (stays) ++place;
  }
};

/// The last row that starts at an item or before it: a search for each.
template <class T>
struct search_row {
  std::size_t const* offsets;
  std::size_t rows;
  T* out;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    std::size_t first = 0, last = rows;
    while (last - first > 1) {
      std::size_t const middle = first + (last - first) / 2;
      if (offsets[middle] <= i) first = middle;
      else last = middle;
    }
    out[i] = static_cast<T>(first);
  }
};

template <class T>
struct count_bins {
  T const* in;
  std::uint32_t* counts;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { Kokkos::atomic_inc(&counts[static_cast<std::size_t>(in[i])]); }
};

template <class T>
struct scan_counts {
  make_records<T> records;
  std::size_t* offsets;
  std::size_t n;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& before, bool final) const {
    if (final) offsets[i] = before;
    if (i < n) before += records.count(i);
  }
};

template <class T>
struct write_records {
  struct emitter {
    T* slot;
    mutable std::size_t count = 0;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(T const& record) const { slot[count++] = record; }
  };
  make_records<T> records;
  std::size_t const* offsets;
  T* out;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    records(static_cast<std::int64_t>(i), emitter{out + offsets[i]});
  }
};

template <class T>
prepared prepare_kokkos(problem<T> const& p) {
  auto const n = p.n();
  T const* const in = p.in.data();
  T* const out = p.out.data();
  if constexpr (sorted_type<T>) {
    if (p.op == operation::sort) return {[=] { Kokkos::sort(p.instance, p.out); }, unsorted(p)};
    // It promises no order of equal keys.
    return {[=] { Kokkos::Experimental::sort_by_key(p.instance, p.out, p.values); }, unsorted(p), order::any};
  } else {
    auto const scan = [=](auto const& functor) -> prepared {
      auto const count = Kokkos::subview(p.counts, 0);
      return {[=] { Kokkos::parallel_scan("upsweep::perf::kokkos", range(p.instance, n), functor, count); }};
    };
    switch (p.op) {
      case operation::compact: return scan(scan_and_write<T, false>{in, out, p.keep});
      case operation::compact_indices:
        if constexpr (has_all_operations<T>) return scan(scan_and_write_indices<T>{{in, p.keep}, out});
        else return {};
      case operation::load_balance:
        if constexpr (has_all_operations<T>)
          return {[=] {
            Kokkos::parallel_for("upsweep::perf::kokkos", range(p.instance, n),
                                 search_row<T>{p.offsets.data(), p.offsets.extent(0) - 1, out});
          }};
        else return {};
      case operation::unique: return scan(scan_and_write<T, true>{in, out, p.keep});
      case operation::histogram:
        return {[=] {
          Kokkos::deep_copy(p.instance, p.counts_of_bins, std::uint32_t(0));
          Kokkos::parallel_for("upsweep::perf::kokkos", range(p.instance, n),
                               count_bins<T>{in, p.counts_of_bins.data()});
        }};
      case operation::pack_lists:
      case operation::pack_lists_fused:
        return {[=] {
          Kokkos::parallel_scan("upsweep::perf::kokkos", range(p.instance, n + 1),
                                scan_counts<T>{{in}, p.offsets.data(), n});
          Kokkos::parallel_for("upsweep::perf::kokkos", range(p.instance, n),
                               write_records<T>{{in}, p.offsets.data(), out});
        }};
      default: return {};
    }
  }
}

template <class T>
std::vector<implementation<T>> packs<T>::by_kokkos() {
  auto const operations =
      operations_of<T>({operation::compact, operation::unique, operation::histogram, operation::pack_lists},
                       {operation::compact_indices, operation::load_balance, operation::pack_lists_fused});
  return {one_implementation<T>("kokkos", operations, prepare_kokkos<T>)};
}

}  // namespace perf::pack
