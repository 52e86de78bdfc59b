// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/optional_view.hpp>
#include <upsweep/neighbors/detail/neighbor_search.hpp>
#include <upsweep/neighbors/detail/plain/split_pairs.hpp>
#include <upsweep/pack/pack_lists.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace upsweep::detail {

/// Counts and emits neighbour lists by pack_lists: a thread a particle, every distance computed in both passes.
template <class ExecutionSpace, class Real>
class plain_builder {
 public:
  using memory_space = typename ExecutionSpace::memory_space;

  template <class Grid>
  list_plan<int, memory_space> const& count(ExecutionSpace const& space, Grid& grid, neighbor_search<Real> const& search,
                                            std::optional<std::size_t> budget) {
    search_ = search;
    plan_ = count_lists<int>(space, search.particles.rows, emit_neighbors<Real, int>{search}, packing(grid, budget));
    return *plan_;
  }

  /// Pre: count() came before; neighbors, and images if they are given, have exactly as many entries as were counted.
  template <class Grid>
  void emit(ExecutionSpace const& space, Grid& grid, Kokkos::View<int*, memory_space> const& neighbors,
            optional_view<Kokkos::View<image*, memory_space>> const& images, std::optional<std::size_t> budget) {
    if (!images.given()) {
      emit_lists_into(space, *plan_, neighbors, emit_neighbors<Real, int>{*search_}, packing(grid, budget));
    } else {
      std::size_t const needed = plan_->total * sizeof(imaged_neighbor);
      if (budget && needed > *budget)
        throw out_of_memory_error("neighbor_list: neighbours beside their images take " + std::to_string(needed) +
                                  " bytes beside the list, but memory_budget is " + std::to_string(*budget));
      list_plan<imaged_neighbor, memory_space> const plan{plan_->rows, plan_->total, plan_->largest_row, plan_->offsets};
      auto const both = emit_lists(space, plan, emit_neighbors<Real, imaged_neighbor>{*search_}, packing(grid, budget));
      split_pairs(space, both.values, neighbors, images);
    }
    plan_.reset();
  }

 private:
  template <class Grid>
  static plan_options packing(Grid& grid, std::optional<std::size_t> budget) {
    return {.workspace = &grid.workspace(), .label = "neighbor_list", .visit = grid.order(), .memory_budget = budget};
  }

  std::optional<neighbor_search<Real>> search_;
  std::optional<list_plan<int, memory_space>> plan_;
};

}  // namespace upsweep::detail
