// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/neighbor_search.hpp>
#include <upsweep/neighbors/detail/plain/split_pairs.hpp>
#include <upsweep/pack/pack_lists.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace upsweep::detail {

/// Counts and emits neighbour lists by pack_lists: one thread per particle, every distance computed in both passes.
template <class ExecutionSpace, class Real>
class plain_builder {
 public:
  using memory_space = typename ExecutionSpace::memory_space;

  template <class Grid>
  list_plan<int, memory_space> const& count(ExecutionSpace const& space, Grid& grid, neighbor_search<Real> const& search,
                                            std::string_view label) {
    search_ = search;
    plan_ = count_lists<int>(space, search.particles.rows, emit_neighbors<Real, int>{search}, packing(grid, label));
    return *plan_;
  }

  /// Pre: count() came before; neighbors has exactly as many entries as were counted, images as many or none.
  template <class Grid>
  void emit(ExecutionSpace const& space, Grid& grid, Kokkos::View<int*, memory_space> const& neighbors,
            Kokkos::View<image*, memory_space> const& images, std::string_view label) {
    if (images.data() == nullptr) {
      emit_lists_into(space, *plan_, neighbors, emit_neighbors<Real, int>{*search_}, packing(grid, label));
    } else {
      list_plan<imaged_neighbor, memory_space> const plan{plan_->rows, plan_->total, plan_->largest_row, plan_->offsets};
      auto const both = emit_lists(space, plan, emit_neighbors<Real, imaged_neighbor>{*search_}, packing(grid, label));
      split_pairs(space, both.values, neighbors, images);
    }
    plan_.reset();
  }

 private:
  template <class Grid>
  static pack_options packing(Grid& grid, std::string_view label) {
    return {.workspace = &grid.workspace(), .label = label.empty() ? "neighbor_list" : label, .visit = grid.order(),
            .visits = grid.particles()};
  }

  std::optional<neighbor_search<Real>> search_;
  std::optional<list_plan<int, memory_space>> plan_;
};

}  // namespace upsweep::detail
