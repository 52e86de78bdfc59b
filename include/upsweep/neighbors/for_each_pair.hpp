// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/copied_positions.hpp>
#include <upsweep/neighbors/detail/box/positions_of.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/builders/compiled_pairs.hpp>
#include <upsweep/neighbors/detail/builders/visit_pairs.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep {

/// Calls a functor with each pair of the neighbor_list with the same arguments, without a list:
/// `for_each_pair(space, positions, box, 2.8, KOKKOS_LAMBDA(int i, int j) { degree(i) += 1; });` gives each particle of
/// an fcc crystal of density 0.8442 the degree 78.
///
/// functor: called as functor(i, j, image) where it can be, with an upsweep::image, in which j is seen from i, both
/// wrapped; else as functor(i, j). i is the row, j what the list has in it. A pair is visited from both ends, except in
/// half lists.
/// Pre: as neighbor_list. What the functor changes is not what the call reads (positions, Views in options). It does
/// not throw: on OpenMP that ends the program.
/// Cost: the binning and the counting pass of a list; memory for the binned particles alone, whatever the number of
/// pairs: at most 100 bytes per particle of doubles in three periodic directions, 24 more for a functor of positions,
/// which is copied. A later call takes the memory again.
/// Order: the pairs of a row come in the row's order (row_order::cells), by one thread, one after the other: a functor
/// may add to what belongs to row i without atomics. Rows come in no order, many at a time.
/// Sync: waits for the instance.
/// Throws: as neighbor_list; precondition_error for options that need rows (max_neighbors, row_order::sorted), keep
/// something of pairs, or bound memory that is not taken (memory_budget).
///
/// As with lists, <upsweep/neighbors/compile_lists.hpp> is needed for execution spaces other than Kokkos' default one.
template <execution_space_argument ExecutionSpace, view_argument Positions, class Real, class Functor>
void for_each_pair(ExecutionSpace const& space, Positions const& positions, box<Real> const& box,
                   std::type_identity_t<Real> cutoff, Functor const& functor, neighbor_options const& options = {}) {
  auto const given = neighbors::detail::positions_of<ExecutionSpace, Real>(positions, "for_each_pair");
  neighbors::detail::compiled_pairs<ExecutionSpace, Real> pairs(space, box, cutoff, options);
  pairs.expect(given.n);
  pairs.bin(given.positions);
  neighbors::detail::visit_pairs(space, pairs, functor);
}

/// The same with positions from a functor, which has no extent.
template <execution_space_argument ExecutionSpace, index_functor Positions, class Real, class Functor>
void for_each_pair(ExecutionSpace const& space, std::size_t n, Positions const& positions, box<Real> const& box,
                   std::type_identity_t<Real> cutoff, Functor const& functor, neighbor_options const& options = {}) {
  neighbors::detail::compiled_pairs<ExecutionSpace, Real> pairs(space, box, cutoff, options);
  pairs.expect(static_cast<std::int64_t>(internal::checked_size(n, "for_each_pair")));
  pairs.bin(neighbors::detail::copy_positions(space, n, positions, pairs.memory_for_positions(), "for_each_pair"));
  neighbors::detail::visit_pairs(space, pairs, functor);
}

/// The same of two sets, as a list of two sets has them: i is a query, j a point.
template <execution_space_argument ExecutionSpace, view_argument Queries, view_argument Points, class Real,
          class Functor>
void for_each_pair(ExecutionSpace const& space, Queries const& queries, Points const& points, box<Real> const& box,
                   std::type_identity_t<Real> cutoff, Functor const& functor, neighbor_options const& options = {}) {
  auto const rows = neighbors::detail::positions_of<ExecutionSpace, Real>(queries, "for_each_pair");
  auto const candidates = neighbors::detail::positions_of<ExecutionSpace, Real>(points, "for_each_pair");
  neighbors::detail::compiled_pairs<ExecutionSpace, Real> pairs(space, box, cutoff, options);
  pairs.expect_two_sets(rows.n, candidates.n);
  pairs.bin(neighbors::detail::both_sets<Real>{rows.positions, candidates.positions, rows.n});
  neighbors::detail::visit_pairs(space, pairs, functor);
}

// For callers who forgot the space: one sentence, and no list of all forms.
template <class First, class Second, class Third, class Functor>
  requires lacks_space<First, Second, Third, Functor>
void for_each_pair(First const&, Second const&, Third const&, Functor const&, neighbor_options const& = {}) {
  static_assert(execution_space_argument<First>,
                "upsweep::for_each_pair: the first argument is an execution-space instance.");
}

}  // namespace upsweep
