// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/copied_positions.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/builders/compiled_grids.hpp>
#include <upsweep/neighbors/detail/builders/mask_builder.hpp>
#include <upsweep/neighbors/detail/grid/cell_grid.hpp>
#include <upsweep/neighbors/detail/options/wide_ids.hpp>
#include <upsweep/neighbors/detail/rules/check_options.hpp>
#include <upsweep/neighbors/detail/rules/neighbor_search.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// The pairs of the particle at each place, by the plain search: one thread per particle, in cell order.
template <class Real, class Visitor>
struct visit_neighbors {
  neighbor_search<Real> search;
  Visitor visitor;

  struct to_visitor {
    binned_particles<Real> const& particles;
    Visitor const& visitor;
    int i;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(row_hit<Real> const& hit) const {
      visitor(i, particles.order[hit.place] - particles.first_candidate, hit.shift);
    }
  };

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    auto const& p = search.particles;
    int const i = p.order[place];
    if (i < p.rows) search(i, to_visitor{p, visitor, i});
  }
};

/// Throws precondition_error for options of lists that pairs without a list cannot have.
inline void check_visit_options(neighbor_options const& options, bool has_masks, char const* function) {
  check_combinations(options, function);
  internal::require(has_masks || options.builder != neighbor_builder::masks, function,
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

/// Positions in memory: those of a functor are copied.
template <class ExecutionSpace, class Positions, class Real>
auto positions_in_memory(ExecutionSpace const& space, Positions const& positions, std::int64_t n,
                         copied_positions<ExecutionSpace, Real>& copied, char const* function) {
  if constexpr (is_in_memory<Positions>) return positions;
  else return copy_positions(space, n, positions, copied.take(space, n, function), function);
}

/// visitor(i, j, image) for the pairs of particles 0 .. rows-1, as a list of positions(0 .. n-1) has them; with
/// first_candidate > 0 of two sets. Waits for the instance.
template <class ExecutionSpace, class Positions, class Real, class Visitor>
void visit_pairs(ExecutionSpace const& space, Positions const& positions, std::int64_t n, std::int64_t rows,
                 std::int64_t first_candidate, box<Real> const& box, Real cutoff, neighbor_options const& given,
                 Visitor const& visitor) {
  using masks = mask_builder<ExecutionSpace, Real>;
  constexpr char const* function = "for_each_pair";
  check_half_of_rows(given, n, rows, function);
  wide_ids<ExecutionSpace> ids;
  ids.set(space, given.ids, n, function);
  neighbor_options const options = ids.in(given);
  cell_grid<ExecutionSpace, Real> grid(space);
  grid.check_arguments(n, rows, cutoff, options);
  copied_positions<ExecutionSpace, Real> copied;
  list_rules<ExecutionSpace, Real> rules;
  grid.set_groups(masks::group_size(n), masks::most_merged(n));
  grid.update(positions_in_memory(space, positions, n, copied, function), n, rows, first_candidate, box, cutoff,
              options);
  neighbor_search<Real> const search{grid.binned(), rules.make(space, grid.binned(), cutoff, options,
                                                               {.workspace = &grid.workspace(), .label = function})};
  if (masks::exists && options.builder != neighbor_builder::plain) {
    if constexpr (masks::exists) masks::visit(space, grid, search, visitor);
  } else {
    Kokkos::parallel_for("upsweep::for_each_pair::visit",
                         internal::index_policy(space, static_cast<std::size_t>(search.particles.places)),
                         visit_neighbors<Real, Visitor>{search, visitor});
  }
  space.fence("upsweep::for_each_pair::visit");  // the binned particles are freed
}

}  // namespace upsweep::neighbors::detail
