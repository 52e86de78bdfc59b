// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The members of compiled_pairs, for those who compile them: the library, and neighbors/compile_lists.hpp.

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/neighbors/detail/builders/compiled_grids.hpp>
#include <upsweep/neighbors/detail/builders/compiled_pairs.hpp>
#include <upsweep/neighbors/detail/builders/list_parts.hpp>
#include <upsweep/neighbors/detail/builders/mask_passes.hpp>
#include <upsweep/neighbors/detail/masks/hit_masks.hpp>
#include <upsweep/neighbors/detail/pairs/call_for_neighbors.hpp>
#include <upsweep/neighbors/detail/rules/check_options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace upsweep::neighbors::detail {

template <class ExecutionSpace, class Real>
struct pairs_state {
  static constexpr char const* function = "for_each_pair";
  using passes = mask_passes<ExecutionSpace, Real, one_system<Real>>;

  list_parts<ExecutionSpace, Real, one_system<Real>> parts;
  copied_positions<ExecutionSpace, Real> copied = {};
  std::optional<neighbor_search<Real>> search = {};  ///< of the particles that are binned

  mask_pass<Real> pass() const {
    auto const& grid = parts.grid;
    return {*search, grid.groups(), grid.group_count(), 0, grid.most_groups(), hit_masks{}};
  }
};

template <class ExecutionSpace, class Real>
compiled_pairs<ExecutionSpace, Real>::compiled_pairs(ExecutionSpace const& space, box<Real> const& box, Real cutoff,
                                                     neighbor_options const& options)
    : state_(new pairs_state<ExecutionSpace, Real>{{space, cutoff, options, box}}) {
  constexpr char const* function = pairs_state<ExecutionSpace, Real>::function;
  check_combinations(options, function);
  internal::require(uses_masks() || options.builder != neighbor_builder::masks, function,
                    "there is no builder with masks for this execution space");
  internal::require(!options.max_neighbors, function,
                    "max_neighbors needs whole rows, of which none is kept; build a neighbor_list");
  internal::require(options.order == row_order::cells, function,
                    "row_order::sorted needs whole rows, of which none is kept; build a neighbor_list");
  internal::require(!options.pair_images && !options.first_indices && !options.unwrapped_images &&
                        !options.displacements && !options.distances,
                    function,
                    "nothing is kept of pairs: pair_images, first_indices, unwrapped_images, displacements and "
                    "distances are for lists; a functor (i, j, image) gets the image");
  internal::require(!options.memory_budget, function, "memory_budget is for hit masks, of which none are kept");
}

template <class ExecutionSpace, class Real>
compiled_pairs<ExecutionSpace, Real>::~compiled_pairs() = default;

template <class ExecutionSpace, class Real>
bool compiled_pairs<ExecutionSpace, Real>::uses_masks() const {
  return state_->parts.uses_masks();
}

template <class ExecutionSpace, class Real>
void compiled_pairs<ExecutionSpace, Real>::expect(std::int64_t n) {
  expect(n, rows_of(state_->parts.options, n, state_->function), 0);
}

template <class ExecutionSpace, class Real>
void compiled_pairs<ExecutionSpace, Real>::expect_two_sets(std::int64_t queries, std::int64_t points) {
  check_two_sets(state_->parts.options, state_->function);
  expect(queries + points, queries, queries);
}

template <class ExecutionSpace, class Real>
void compiled_pairs<ExecutionSpace, Real>::expect(std::int64_t n, std::int64_t rows, std::int64_t first_candidate) {
  state_->parts.expect(n, rows, first_candidate, state_->function);
}

template <class ExecutionSpace, class Real>
position_memory<Real> compiled_pairs<ExecutionSpace, Real>::memory_for_positions() {
  return state_->copied.take(state_->parts.space, state_->parts.particles, state_->function);
}

template <class ExecutionSpace, class Real>
template <class Positions>
void compiled_pairs<ExecutionSpace, Real>::bin_all(Positions const& positions) {
  using passes = typename pairs_state<ExecutionSpace, Real>::passes;
  auto& parts = state_->parts;
  parts.grid.set_groups(passes::group_size(parts.particles), passes::most_merged(parts.particles));
  parts.bin(positions);
  state_->search = {parts.grid.binned(),
                    parts.rules.make(parts.space, parts.grid.binned(), parts.cutoff, parts.ids.in(parts.options),
                                     {.workspace = &parts.grid.workspace(), .label = state_->function})};
}

template <class ExecutionSpace, class Real>
void compiled_pairs<ExecutionSpace, Real>::bin(one_set<Real> const& positions) {
  bin_all(positions);
}
template <class ExecutionSpace, class Real>
void compiled_pairs<ExecutionSpace, Real>::bin(both_sets<Real> const& positions) {
  bin_all(positions);
}

template <class ExecutionSpace, class Real>
void compiled_pairs<ExecutionSpace, Real>::visit(pair_callback const& callback) const
  requires(!compat::is_gpu<ExecutionSpace>)
{
  constexpr char const* label = "upsweep::for_each_pair::visit";
  auto const& space = state_->parts.space;
  if (uses_masks()) {
    if constexpr (has_mask_builder<ExecutionSpace>)
      pairs_state<ExecutionSpace, Real>::passes::visit(space, state_->pass(), callback);
  } else {
    internal::for_each_index(space, label, static_cast<std::size_t>(state_->search->particles.places),
                             call_for_neighbors<Real>{*state_->search, callback});
  }
  space.fence(label);  // the visitor is the caller's
}

template <class ExecutionSpace, class Real>
mask_pass<Real, one_system<Real>> compiled_pairs<ExecutionSpace, Real>::pass() const
  requires(compat::is_gpu<ExecutionSpace>)
{
  return state_->pass();
}

}  // namespace upsweep::neighbors::detail
