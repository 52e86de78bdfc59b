// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The steps of neighbor_list that are not inline: for Views of float and double they are compiled once, in the library.

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/memory/undo_on_error.hpp>
#include <upsweep/neighbors/detail/pairs/complete_rows.hpp>
#include <upsweep/neighbors/detail/pairs/sort_rows.hpp>
#include <upsweep/neighbors/detail/pairs/split_pairs.hpp>
#include <upsweep/neighbors/detail/pairs/warp_sort_rows.hpp>
#include <upsweep/neighbors/detail/rules/pair_lower_bound.hpp>
#include <upsweep/neighbors/list_hash.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/pack/pack_lists.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep {

template <class ExecutionSpace, std::floating_point Real, class Systems>
void neighbor_list<ExecutionSpace, Real, Systems>::emit() {
  internal::require(planned_, function, "there is no plan; call plan() before emit()");
  internal::undo_on_error const undo([this] { planned_ ? void() : forget(); });
  auto const kept = contents();
  if (auto const budget = options_.memory_budget; budget && kept.packs_images) {
    std::uint64_t const needed = plan_.pairs * kept.building_bytes();
    if (needed > *budget)
      throw out_of_memory_error(std::string(function) + ": pairs with their images take " + std::to_string(needed) +
                                " bytes in addition to the list, but memory_budget is " + std::to_string(*budget));
  }
  require_memory_for(plan_.pairs, "");
  arrays_.grow(space_, kept, plan_.pairs, function);
  planned_ = false;
  image* const images = kept.has_images() ? arrays_.images.data() : nullptr;
  auto const sort = row_sort(images);
  auto const values = arrays_.slots(kept, grid_.edges_off());
  built_by_ = ids_.in(options_);
  bool const limits_rows = options_.max_neighbors.has_value();
  if (few_pairs_) {
    if constexpr (may_have_few_particles)
      if (!few_pairs_->are_written) few_particles_.emit(offsets_.data(), slots());
  } else if (uses_masks()) {
    masks_.emit(space_, options_.order, sort, values);
  } else if (!kept.packs_images) {
    if (limits_rows) emit_lists_into(space_, packed_, arrays_.neighbors, emit_nearest<int>{*search_}, packing());
    else emit_lists_into(space_, packed_, arrays_.neighbors, emit_neighbors<int>{*search_}, packing());
  } else {
    using pair = neighbors::detail::imaged_neighbor;
    list_plan<pair, memory_space> const plan{packed_.rows, packed_.total, packed_.largest_row, packed_.offsets};
    auto const both = limits_rows ? emit_lists(space_, plan, emit_nearest<pair>{*search_}, packing())
                                  : emit_lists(space_, plan, emit_neighbors<pair>{*search_}, packing());
    neighbors::detail::split_pairs(space_, both.values, arrays_.neighbors, arrays_.images);
  }
  packed_ = {};
  if (options_.order == row_order::sorted && !(uses_masks() && masks_.sorts_rows))
    neighbors::detail::sort_rows(space_, plan_.rows, sort);
  if (values.any() && !(uses_masks() && masks_.stores_values(options_.order)))
    neighbors::detail::complete_rows<Real, Systems>{grid_.binned(), values, sort.offsets, sort.neighbors, images}
        .launch(space_);
  // Rows that were written before their number was known have been waited for with it.
  if (!few_pairs_ || !few_pairs_->are_written || options_.order == row_order::sorted)
    space_.fence("upsweep::neighbor_list::emit");
  emitted_ = plan_.pairs;
  built_ = true;
  kept_ = kept;
  // Ghosts come and go: a few particles more are not asked about again.
  particles_without_dense_cells_ = plan_.largest_row < neighbors::detail::pair_lower_bound<Real>::dense_cell
                                       ? grid_.particles() + grid_.particles() / 8
                                       : -1;
  plan_.other_bytes = other_bytes(kept.other_bytes());
}

template <class ExecutionSpace, std::floating_point Real, class Systems>
std::uint64_t neighbor_list<ExecutionSpace, Real, Systems>::hash() const {
  auto const list = view();
  auto const& binned = grid_.binned();  // whose box is that of the build: set() has changed nothing of what is there
  neighbors::detail::check_hash(built_by_, binned.sim_box, first_candidate_ > 0);
  return neighbors::detail::hash_list<ExecutionSpace>(
      space_, neighbors::detail::rows_to_hash(list, built_by_, binned.places), list.rows);
}

template <class ExecutionSpace, std::floating_point Real, class Systems>
void neighbor_list<ExecutionSpace, Real, Systems>::count(neighbors::detail::aim what) {
  bool const builds = what == aim::list;
  std::int64_t const rows = grid_.binned().rows;
  plan_.rows = static_cast<std::size_t>(rows);
  auto const take = [&](auto const& counted) {
    plan_.pairs = counted.total;
    plan_.largest_row = counted.largest_row;
  };
  if (few_pairs_) {
    if (builds) require_memory_for(few_pairs_->total, "");
    take(*few_pairs_);
  } else if (search_type const search{grid_.binned(), make_rules()}; uses_masks()) {
    if (builds) refuse_dense_cells(search);
    internal::grow(space_, offsets_, plan_.rows + 1, function, "offsets");
    take(masks_.count(space_, grid_, search, offsets_, options_.memory_budget, [&](std::uint64_t pairs) {
      if (builds) require_memory_for(pairs, "");
      return arrays_.missing_bytes(contents(), pairs);
    }));
  } else {
    if (builds) refuse_dense_cells(search);
    search_ = search;
    packed_ = search.rules.limits_rows() ? count_lists<int>(space_, rows, emit_nearest<int>{search}, packing())
                                         : count_lists<int>(space_, rows, emit_neighbors<int>{search}, packing());
    offsets_ = packed_.offsets;
    take(packed_);
  }
  plan_.other_bytes = other_bytes(contents().building_bytes());
  plan_.list_bytes = (plan_.rows + 1) * sizeof(std::size_t) + plan_.pairs * arrays_.bytes_of_pair(contents());
  planned_ = true;
}

}  // namespace upsweep
