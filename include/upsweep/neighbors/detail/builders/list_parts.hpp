// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/internal/memory/never_refused_bytes.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/builders/aim.hpp>
#include <upsweep/neighbors/detail/builders/has_mask_builder.hpp>
#include <upsweep/neighbors/detail/grid/cell_grid.hpp>
#include <upsweep/neighbors/detail/options/wide_ids.hpp>
#include <upsweep/neighbors/detail/pairs/pair_arrays.hpp>
#include <upsweep/neighbors/detail/pairs/pair_slots.hpp>
#include <upsweep/neighbors/detail/pairs/sort_rows.hpp>
#include <upsweep/neighbors/detail/rules/check_options.hpp>
#include <upsweep/neighbors/detail/rules/neighbor_search.hpp>
#include <upsweep/neighbors/detail/rules/pair_lower_bound.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep::neighbors::detail {

/// What a builder counts.
struct pair_totals {
  std::size_t pairs = 0, largest_row = 0;
};

/// What the builders of a list work on together. `Systems`: one box, or many.
///
/// The builders are plain_builder, mask_builder, few_particles_builder and small_systems_builder, and a build is three
/// calls of one of them:
///   bin(parts, aim, positions)   puts the particles into the grid. For a list it may do the other steps, too, with the
///                                memory of the list before; then these return at once if that had room. (That of
///                                small_systems_builder does so only, has no aim, and says whether it could;)
///   count(parts, aim)            waits, gives pair_totals and leaves the offsets in `parts`. For a list it throws
///                                out_of_memory_error where memory cannot hold the pairs;
///   emit(parts)                  writes the rows into the arrays, which have room for them.
/// Besides, they say whether emit() sorts rows and stores the values of pairs (sorts_rows, stores_values()), or
/// leaves that to the caller; whether the host has waited for the rows (has_waited()), and what memory they hold
/// beside `parts`, if any (bytes()).
template <class ExecutionSpace, class Real, class Systems>
struct list_parts {
  static constexpr char const* function = Systems::function;
  using memory_space = typename ExecutionSpace::memory_space;
  using search_type = neighbor_search<Real, Systems>;

  ExecutionSpace space;
  Real cutoff;
  neighbor_options options;
  typename Systems::template boxes_type<ExecutionSpace> boxes;
  std::int64_t particles = 0, rows = 0;
  std::int64_t first_candidate = 0;  ///< of two sets the first point, else 0
  wide_ids<ExecutionSpace> ids = {};
  cell_grid<ExecutionSpace, Real, Systems> grid{space};
  list_rules<ExecutionSpace, Real> rules = {};
  Kokkos::View<std::size_t*, memory_space> offsets = {};
  pair_arrays<memory_space, Real> arrays = {};
  std::int64_t particles_without_dense_cells = -1;  ///< of the last list, where its rows were short

  bool uses_masks() const { return has_mask_builder<ExecutionSpace> && options.builder != neighbor_builder::plain; }
  /// What the list will keep of pairs.
  pair_contents contents() const { return pair_contents::of(options, uses_masks()); }

  /// The particles that come next: checks what options say of them. `caller`: the name in messages.
  void expect(std::int64_t n, std::int64_t with_rows, std::int64_t first_neighbor, char const* caller) {
    check_half_of_rows(options, n, with_rows, caller);
    ids.set(space, options.ids, n, caller);
    grid.check_arguments(n, with_rows, cutoff, options);
    particles = n;
    rows = with_rows;
    first_candidate = first_neighbor;
  }

  template <class Positions>
  void bin(Positions const& positions, bad_particles bad = bad_particles::thrown) {
    grid.update(positions, particles, rows, first_candidate, boxes, cutoff, ids.in(options), bad);
  }
  /// Of the particles in the grid. May wait.
  pair_rules<Real> make_rules() {
    return rules.make(space, grid.binned(), cutoff, ids.in(options),
                      {.workspace = &grid.workspace(), .label = function});
  }
  search_type make_search() { return {grid.binned(), make_rules()}; }

  /// The rows as they are written, sorted and completed. Null images where none are kept.
  sort_rows_kernel row_sort() const {
    std::int64_t const* const wide = ids.in(options).ids.wide().data();
    return {offsets.data(), arrays.neighbors.data(), contents().has_images() ? arrays.images.data() : nullptr,
            wide == nullptr ? nullptr : wide + first_candidate,  // neighbours index into points
            options.images.data()};
  }
  /// Where the values of pairs go.
  pair_slots<Real> values() const { return arrays.slots(contents(), grid.edges_off()); }

  /// Throws out_of_memory_error where arrays for so many pairs do not fit. What is held is freed before they grow.
  void require_memory_for(std::uint64_t pairs, char const* least = "") const {
    require_memory(space, arrays.missing_bytes(contents(), pairs), function,
                   "a list of " + std::string(least) + std::to_string(pairs) + " pairs",
                   arrays.held_bytes(contents(), pairs));
  }
  /// Throws out_of_memory_error where dense cells alone have more pairs than memory holds. Left out of builds after
  /// one without dense cells, and of few particles: it is another pass over the cells, which waits.
  void refuse_dense_cells(search_type const& search) const {
    if (may_have_dense_cells())
      require_memory_for(count_pairs_of_dense_cells(space, search, grid.row_cells()), "at least ");
  }
  bool may_have_dense_cells() const {
    auto const n = static_cast<std::uint64_t>(particles);
    return particles > particles_without_dense_cells &&
           arrays.missing_bytes(contents(), n * n) >= internal::never_refused_bytes;
  }
  /// To be called once a list is built.
  void note_dense_cells(std::size_t largest_row) {
    // Ghosts come and go: a few particles more are not asked about again.
    particles_without_dense_cells = largest_row < pair_lower_bound<Real>::dense_cell ? particles + particles / 8 : -1;
  }
};

}  // namespace upsweep::neighbors::detail
