// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The standard library's parallel algorithms; libstdc++ runs them on TBB.

#include "std.hpp"

#include <tbb/global_control.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <execution>
#include <memory>
#include <vector>

namespace perf::pack {

template <class T>
prepared prepare_std_par(problem<T> const& p) {
  // As many threads as the space has, so that all have the same.
  auto const threads = std::make_shared<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                             static_cast<std::size_t>(p.instance.concurrency()));
  auto const policy = std::execution::par_unseq;
  T const* const in = p.in.data();
  T const* const end = in + p.n();
  T* const out = p.out.data();
  if constexpr (sorted_type<T>) {
    if (p.op == operation::sort)
      return {[=] { std::sort(policy, out, out + p.n()), static_cast<void>(threads); }, unsorted(p)};
    return sort_pairs(
        p, [=](keyed<T>* begin, keyed<T>* last) { std::stable_sort(policy, begin, last), static_cast<void>(threads); });
  } else {
    auto const count = [p, out, threads](T const* last) { p.counts(0) = static_cast<std::uint64_t>(last - out); };
    auto const split_in_place = [=] {
      return in_place(p, [=](T* begin, T* last) {
        static_cast<void>(threads);
        return std::stable_partition(policy, begin, last, p.keep);
      });
    };
    switch (p.op) {
      case operation::compact: return {[=] { count(std::copy_if(policy, in, end, out, p.keep)); }};
      case operation::unique: return {[=] { count(std::unique_copy(policy, in, end, out)); }};
      case operation::partition: return split_in_place();
      case operation::partition_three_way:
        if constexpr (has_all_operations<T>) {
          auto const split = [=](T* begin, T* last, auto const& goes) {
            return std::stable_partition(policy, begin, last, goes);
          };
          return {[=] { split_twice(p, split), static_cast<void>(threads); }, unsorted(p)};
        } else {
          return {};
        }
      case operation::partition_copy:
        if constexpr (has_all_operations<T>)
          return {[=] { count(std::partition_copy(policy, in, end, out, p.values.data(), p.keep).first); },
                  {},
                  order::stable,
                  [p] { join_rest(p); }};
        else return {};
      case operation::compact_in_place:
      case operation::unique_in_place:
      case operation::partition_in_place:
        if constexpr (has_all_operations<T>) {
          if (p.op == operation::compact_in_place)
            return in_place(p, [=](T* begin, T* last) {
              static_cast<void>(threads);
              return std::remove_if(policy, begin, last, drops<T>{p.keep});
            });
          if (p.op == operation::unique_in_place)
            return in_place(p, [=](T* begin, T* last) {
              static_cast<void>(threads);
              return std::unique(policy, begin, last);
            });
          return split_in_place();
        } else {
          return {};
        }
      default: return {};
    }
  }
}

template <class T>
std::vector<implementation<T>> packs<T>::by_std_par() {
  auto const operations =
      operations_of<T>({operation::compact, operation::partition, operation::unique},
                       {operation::partition_copy, operation::partition_three_way, operation::compact_in_place,
                        operation::unique_in_place, operation::partition_in_place});
  return {one_implementation<T>("std_par", operations, prepare_std_par<T>)};
}

}  // namespace perf::pack
