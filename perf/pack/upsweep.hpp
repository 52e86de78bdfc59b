// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Our own operations, with a workspace that is kept.

#include "implementation.hpp"

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/pack_lists.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/pack/unique.hpp>

#include <memory>

namespace perf::pack {

/// The two passes; records go into memory that is kept.
template <class T>
prepared prepare_lists(problem<T> const& p, std::shared_ptr<upsweep::workspace> const& workspace) {
  auto const plan = std::make_shared<upsweep::list_plan<T, memory>>();
  prepared result;
  result.call = [=] {
    upsweep::pack_options const options{.workspace = workspace.get()};
    make_records<T> const records{p.in.data()};
    *plan = upsweep::count_lists<T>(p.instance, static_cast<std::int64_t>(p.n()), records, options);
    upsweep::emit_lists_into(p.instance, *plan, records, p.out, options);
  };
  result.finish = [=] { Kokkos::deep_copy(p.instance, p.offsets, plan->offsets); };
  return result;
}

template <class T>
prepared prepare_upsweep(problem<T> const& p) {
  auto const workspace = std::make_shared<upsweep::workspace>(p.instance);
  upsweep::scan_options const options{.workspace = workspace.get()};
  if constexpr (sorted_type<T>) {
    upsweep::sort_options const sorting{.workspace = workspace.get()};
    if (p.op == operation::sort) return {[=] { upsweep::sort(p.instance, p.out, sorting), static_cast<void>(workspace); }, unsorted(p)};
    return {[=] { upsweep::sort_by_key(p.instance, p.out, p.values, sorting), static_cast<void>(workspace); }, unsorted(p)};
  } else {
    auto const count = Kokkos::subview(p.counts, 0);
    switch (p.op) {
      case operation::compact:
        return {[=] { upsweep::compact(p.instance, p.in, p.out, p.keep, count, options), static_cast<void>(workspace); }};
      case operation::partition:
        return {[=] { upsweep::partition(p.instance, p.in, p.out, p.keep, p.counts, options), static_cast<void>(workspace); }};
      case operation::unique:
        return {[=] {
          upsweep::unique(p.instance, p.in, p.out, upsweep::equal_keys{}, count, options);
          static_cast<void>(workspace);
        }};
      case operation::histogram:
        return {[=] { upsweep::histogram(p.instance, p.in, p.counts_of_bins, options), static_cast<void>(workspace); }};
      case operation::pack_lists: return prepare_lists(p, workspace);
      default: return {};
    }
  }
}

/// partition in CUB's order: the rest backwards.
template <class T>
prepared prepare_reversed(problem<T> const& p) {
  auto const workspace = std::make_shared<upsweep::workspace>(p.instance);
  upsweep::scan_options const options{.workspace = workspace.get()};
  return {[=] {
            upsweep::partition_rest_reversed(p.instance, p.in, p.out, p.keep, p.counts, options);
            static_cast<void>(workspace);
          },
          {}, order::reversed_rear};
}

template <class T>
std::vector<implementation<T>> upsweep_packs() {
  if constexpr (sorted_type<T>) return {{"upsweep", {operation::sort, operation::sort_by_key}, prepare_upsweep<T>}};
  else
    return {{"upsweep",
             {operation::compact, operation::partition, operation::unique, operation::histogram, operation::pack_lists},
             prepare_upsweep<T>},
            {"upsweep_reversed", {operation::partition}, prepare_reversed<T>}};
}

}  // namespace perf::pack
