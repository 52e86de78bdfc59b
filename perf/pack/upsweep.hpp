// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Our own operations, with a workspace that is kept.

#include "implementation.hpp"
#include "mesh_graph.hpp"

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/load_balance.hpp>
#include <upsweep/pack/pack_lists.hpp>
#include <upsweep/pack/pack_unique_rows.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/partition_copy.hpp>
#include <upsweep/pack/run_length.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/pack/sort_and_unique_rows.hpp>
#include <upsweep/pack/unique.hpp>

#include <memory>
#include <vector>

namespace perf::pack {

/// Lists into memory that is kept: in two passes, or, with a bound, in one launch. Each call waits once.
template <class T>
prepared prepare_lists(problem<T> const& p, std::shared_ptr<upsweep::workspace> const& workspace) {
  upsweep::pack_options options{.workspace = workspace.get()};
  if (p.op == operation::pack_lists_fused) options.upper_bound = p.out.extent(0);
  return {[=] {
    upsweep::pack_lists_into(p.instance, p.n(), p.offsets, p.out, make_records<T>{p.in.data()}, options);
    static_cast<void>(workspace);
  }};
}

/// Rows into new memory, as the peer's.
template <class T>
prepared prepare_rows(problem<T> const& p, std::shared_ptr<upsweep::workspace> const& workspace) {
  auto const made = std::make_shared<upsweep::lists<T, memory>>();
  return {[=] {
            *made = {};
            *made = upsweep::sort_and_unique_rows(p.instance, p.starts, p.in, {.workspace = workspace.get()});
          },
          {},
          order::stable,
          [=] { bring_rows(p, made->offsets, made->values); }};
}

/// What only some types have.
template <class T>
prepared prepare_others(problem<T> const& p, std::shared_ptr<upsweep::workspace> const& workspace) {
  upsweep::call_options const options{.workspace = workspace.get()};
  auto const count = Kokkos::subview(p.counts, 0);
  switch (p.op) {
    case operation::compact_indices:
      return {[=] {
        keeps_index<T> const keep{p.in.data(), p.keep};
        upsweep::compact_indices(p.instance, p.n(), p.out, count, keep, options);
        static_cast<void>(workspace);
      }};
    case operation::compact_flagged:
      return {[=] {
        upsweep::compact(p.instance, p.in, upsweep::flagged{p.flags}, p.out, count, options);
        static_cast<void>(workspace);
      }};
    case operation::partition_copy:
      return {[=] {
                upsweep::partition_copy(p.instance, p.in, p.out, p.values, p.counts, p.keep, options);
                static_cast<void>(workspace);
              },
              {},
              order::stable,
              [p] { join_rest(p); }};
    case operation::partition_copy_three_way:
      return {[=] {
                upsweep::partition_copy(p.instance, p.in, p.out, p.parts.second, p.parts.rest, p.counts, p.keep,
                                        keeps_second<T>{p.keep.share}, options);
                static_cast<void>(workspace);
              },
              {},
              order::stable,
              [p] { join_parts(p); }};
    case operation::partition_three_way:
      return {[=] {
        upsweep::partition_three_way(p.instance, p.in, p.out, p.counts, p.keep, keeps_second<T>{p.keep.share}, options);
        static_cast<void>(workspace);
      }};
    case operation::run_length:
      return {[=] {
        upsweep::run_length(p.instance, p.in, p.out, p.lengths, count, upsweep::equal_keys{}, options);
        static_cast<void>(workspace);
      }};
    case operation::compact_in_place:
      return {[=] {
                upsweep::compact_in_place(p.instance, p.out, count, p.keep, options);
                static_cast<void>(workspace);
              },
              unsorted(p)};
    case operation::unique_in_place:
      return {[=] {
                upsweep::unique_in_place(p.instance, p.out, count, upsweep::equal_keys{}, options);
                static_cast<void>(workspace);
              },
              unsorted(p)};
    case operation::partition_in_place:
      return {[=] {
                upsweep::partition_in_place(p.instance, p.out, p.counts, p.keep, options);
                static_cast<void>(workspace);
              },
              unsorted(p)};
    case operation::pack_lists_fused: return prepare_lists(p, workspace);
    case operation::sort_and_unique_rows:
    case operation::sort_and_unique_short_rows: return prepare_rows(p, workspace);
    case operation::mesh_graph: return prepare_mesh_graph(p, workspace);
    case operation::load_balance:
      return {[=] { upsweep::load_balance(p.instance, p.offsets, p.out, options), static_cast<void>(workspace); }};
    default: return {};
  }
}

template <class T>
prepared prepare_upsweep(problem<T> const& p) {
  auto const workspace = std::make_shared<upsweep::workspace>(p.instance);
  upsweep::call_options const options{.workspace = workspace.get()};
  if constexpr (sorted_type<T>) {
    upsweep::sort_options const sorting{.workspace = workspace.get()};
    if (p.op == operation::sort)
      return {[=] { upsweep::sort(p.instance, p.out, sorting), static_cast<void>(workspace); }, unsorted(p)};
    return {[=] { upsweep::sort_by_key(p.instance, p.out, p.values, sorting), static_cast<void>(workspace); },
            unsorted(p)};
  } else {
    auto const count = Kokkos::subview(p.counts, 0);
    switch (p.op) {
      case operation::compact:
        return {
            [=] { upsweep::compact(p.instance, p.in, p.out, count, p.keep, options), static_cast<void>(workspace); }};
      case operation::partition:
        return {[=] {
          upsweep::partition(p.instance, p.in, p.out, p.counts, p.keep, options);
          static_cast<void>(workspace);
        }};
      case operation::unique:
        return {[=] {
          upsweep::unique(p.instance, p.in, p.out, count, upsweep::equal_keys{}, options);
          static_cast<void>(workspace);
        }};
      case operation::histogram:
        return {[=] { upsweep::histogram(p.instance, p.in, p.counts_of_bins, options), static_cast<void>(workspace); }};
      case operation::pack_lists: return prepare_lists(p, workspace);
      default:
        if constexpr (has_all_operations<T>) return prepare_others(p, workspace);
        else return {};
    }
  }
}

/// partition in CUB's order: the rest backwards.
template <class T>
prepared prepare_reversed(problem<T> const& p) {
  auto const workspace = std::make_shared<upsweep::workspace>(p.instance);
  upsweep::call_options const options{.workspace = workspace.get()};
  return {[=] {
            upsweep::partition_rest_reversed(p.instance, p.in, p.out, p.counts, p.keep, options);
            static_cast<void>(workspace);
          },
          {},
          order::reversed_rear};
}

template <class T>
std::vector<implementation<T>> packs<T>::by_upsweep() {
  std::vector<implementation<T>> all{one_implementation<T>("upsweep", all_operations<T>(), prepare_upsweep<T>)};
  if constexpr (!sorted_type<T>) all.push_back({"upsweep_reversed", {operation::partition}, prepare_reversed<T>});
  return all;
}

}  // namespace perf::pack
