// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/builders/mask_builder.hpp>
#include <upsweep/neighbors/detail/builders/visit_pairs.hpp>
#include <upsweep/neighbors/detail/options/require_columns.hpp>
#include <upsweep/neighbors/detail/pairs/pair_visitor.hpp>
#include <upsweep/neighbors/detail/rules/check_options.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep {

/// Calls a functor with each pair of the neighbor_list with the same arguments, without a list:
/// `for_each_pair(space, positions, box, 2.8, KOKKOS_LAMBDA(int i, int j) { degree(i) += 1; });` gives each particle of
/// an fcc crystal of density 0.8442 the degree 78.
///
/// functor: called as functor(i, j, image) where it can be, with an upsweep::image, in which j is seen from i, both
/// wrapped; else as functor(i, j). i is the row, j what the list has in it. A pair is visited from both ends, except in
/// half lists.
/// Pre: as neighbor_list. What the functor changes is not what the call reads (positions, Views in options).
/// Cost: the binning and the counting pass of a list; memory for the binned particles alone, whatever the number of
/// pairs: at most 100 bytes per particle of doubles in three periodic directions, 24 more for a functor of positions,
/// which is copied. A later call takes the memory again.
/// Order: the pairs of a row come in the row's order (row_order::cells), by one thread, one after the other: a functor
/// may add to what belongs to row i without atomics. Rows come in no order, many at a time.
/// Sync: waits for the instance.
/// Throws: as neighbor_list; precondition_error for options that need rows (max_neighbors, row_order::sorted), keep
/// something of pairs, or bound memory that is not taken (memory_budget).
template <class ExecutionSpace, view_argument Positions, class Real, class Functor>
void for_each_pair(ExecutionSpace const& space, Positions const& positions, box<Real> const& box,
                   std::type_identity_t<Real> cutoff, Functor const& functor, neighbor_options const& options = {}) {
  constexpr char const* function = "for_each_pair";
  neighbors::detail::require_columns<ExecutionSpace>(positions, function);
  neighbors::detail::check_visit_options(options, neighbors::detail::mask_builder<ExecutionSpace, Real>::exists,
                                         function);
  auto const n = static_cast<std::int64_t>(positions.extent(0));
  neighbors::detail::visit_pairs(space, neighbors::detail::make_positions(positions), n,
                                 options.rows < 0 ? n : options.rows, 0, box, cutoff, options,
                                 neighbors::detail::pair_visitor<Functor>{functor});
}

/// The same with positions from a functor, which has no extent.
template <class ExecutionSpace, index_functor Positions, class Real, class Functor>
void for_each_pair(ExecutionSpace const& space, std::int64_t n, Positions const& positions, box<Real> const& box,
                   std::type_identity_t<Real> cutoff, Functor const& functor, neighbor_options const& options = {}) {
  constexpr char const* function = "for_each_pair";
  internal::require(n >= 0, function, "n = " + std::to_string(n) + " is negative");
  neighbors::detail::check_visit_options(options, neighbors::detail::mask_builder<ExecutionSpace, Real>::exists,
                                         function);
  neighbors::detail::visit_pairs(space, positions, n, options.rows < 0 ? n : options.rows, 0, box, cutoff, options,
                                 neighbors::detail::pair_visitor<Functor>{functor});
}

/// The same of two sets, as a list of two sets has them: i is a query, j a point.
template <class ExecutionSpace, view_argument Queries, view_argument Points, class Real, class Functor>
void for_each_pair(ExecutionSpace const& space, Queries const& queries, Points const& points, box<Real> const& box,
                   std::type_identity_t<Real> cutoff, Functor const& functor, neighbor_options const& options = {}) {
  constexpr char const* function = "for_each_pair";
  neighbors::detail::require_columns<ExecutionSpace>(queries, function);
  neighbors::detail::require_columns<ExecutionSpace>(points, function);
  neighbors::detail::check_visit_options(options, neighbors::detail::mask_builder<ExecutionSpace, Real>::exists,
                                         function);
  neighbors::detail::check_two_sets(options, function);
  auto const first = neighbors::detail::make_positions(queries);
  auto const second = neighbors::detail::make_positions(points);
  auto const rows = static_cast<std::int64_t>(queries.extent(0));
  neighbors::detail::visit_pairs(space,
                                 neighbors::detail::two_sets<decltype(first), decltype(second)>{first, second, rows},
                                 rows + static_cast<std::int64_t>(points.extent(0)), rows, rows, box, cutoff, options,
                                 neighbors::detail::pair_visitor<Functor>{functor});
}

}  // namespace upsweep
