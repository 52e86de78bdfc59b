// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/builders/list_parts.hpp>
#include <upsweep/neighbors/detail/pairs/emit_nearest.hpp>
#include <upsweep/neighbors/detail/pairs/split_pairs.hpp>
#include <upsweep/neighbors/detail/rules/neighbor_search.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/pack/pack_lists.hpp>

#include <cstddef>
#include <optional>

namespace upsweep::neighbors::detail {

/// The builder that is pack_lists: one thread per particle, every distance computed in both passes.
template <class ExecutionSpace, class Real, class Systems>
class plain_builder {
 public:
  using parts_type = list_parts<ExecutionSpace, Real, Systems>;

  static constexpr bool sorts_rows = false;
  static bool stores_values(row_order) { return false; }
  bool has_waited() const { return false; }

  template <class Positions>
  void bin(parts_type& parts, aim, Positions const& positions) {
    parts.bin(positions);
  }

  pair_totals count(parts_type& parts, aim what) {
    search_ = parts.make_search();
    if (what == aim::list) parts.refuse_dense_cells(*search_);
    packed_ = search_->rules.limits_rows()
                  ? count_lists<int>(parts.space, parts.rows, nearest<int>{*search_}, packing(parts))
                  : count_lists<int>(parts.space, parts.rows, all<int>{*search_}, packing(parts));
    parts.offsets = packed_.offsets;
    return {packed_.total, packed_.largest_row};
  }

  void emit(parts_type& parts) {
    bool const limits_rows = search_->rules.limits_rows();
    auto const& to = parts.arrays;
    if (!parts.contents().packs_images) {
      if (limits_rows) emit_lists_into(parts.space, packed_, to.neighbors, nearest<int>{*search_}, packing(parts));
      else emit_lists_into(parts.space, packed_, to.neighbors, all<int>{*search_}, packing(parts));
    } else {
      using pair = imaged_neighbor;
      list_plan<pair, memory_space> const plan{packed_.rows, packed_.total, packed_.largest_row, packed_.offsets};
      auto const both = limits_rows ? emit_lists(parts.space, plan, nearest<pair>{*search_}, packing(parts))
                                    : emit_lists(parts.space, plan, all<pair>{*search_}, packing(parts));
      split_pairs(parts.space, both.values, to.neighbors, to.images);
    }
    packed_ = {};
  }

 private:
  using memory_space = typename parts_type::memory_space;
  template <class Record>
  using all = emit_neighbors<Real, Record, Systems>;
  template <class Record>
  using nearest = emit_nearest<Real, Record, Systems>;

  static plan_options packing(parts_type& parts) {
    return {.workspace = &parts.grid.workspace(),
            .label = parts.function,
            .visit = parts.grid.order(),
            .memory_budget = parts.options.memory_budget};
  }

  std::optional<typename parts_type::search_type> search_;
  list_plan<int, memory_space> packed_;  ///< what count() has counted
};

}  // namespace upsweep::neighbors::detail
