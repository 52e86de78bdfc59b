// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/neighbor_plan.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace upsweep {

namespace neighbors::detail {

/// Row lengths from offsets.
template <class Counts>
struct store_counts {
  std::size_t const* offsets;
  Counts counts;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    counts(i) = static_cast<typename Counts::value_type>(offsets[i + 1] - offsets[i]);
  }
};

}  // namespace neighbors::detail

/// The number of neighbours of each particle, without a list of them: counts(i) is the length of row i of the
/// neighbor_list with the same arguments, at most max_neighbors. Returns what its plan would be: all pairs, the largest
/// row, bytes.
/// `count_neighbors(space, positions, box, 2.8, counts)`; particles of an fcc crystal of density 0.8442 have 78 each.
///
/// counts: a View of as many integers as there are rows.
/// Pre, Order: as neighbor_list. Cost: its counting pass; no memory for pairs, 8 bytes per row more.
/// Sync: waits for the instance.
/// Throws: as neighbor_list; precondition_error (extent of counts), overflow_error where the largest row does not fit.
template <execution_space_argument ExecutionSpace, class Positions, class Real, view_of_rank_1 Counts>
neighbor_plan count_neighbors(ExecutionSpace const& space, Positions const& positions, box<Real> const& box,
                              std::type_identity_t<Real> cutoff, Counts const& counts,
                              neighbor_options const& options = {}) {
  using value = typename Counts::non_const_value_type;
  static_assert(std::is_integral_v<value> && std::is_same_v<value, typename Counts::value_type>,
                "upsweep::count_neighbors: counts is a View of integers that can be written.");
  neighbor_list<ExecutionSpace, Real> list(space, box, cutoff, options);
  neighbor_plan const plan = list.plan(space, positions);
  internal::require(counts.extent(0) == plan.rows, "count_neighbors", [&] {
    return "counts has " + std::to_string(counts.extent(0)) + " entries for " + std::to_string(plan.rows) + " rows";
  });
  if (plan.largest_row > static_cast<std::uint64_t>(std::numeric_limits<value>::max()))
    throw overflow_error("count_neighbors: a particle has " + std::to_string(plan.largest_row) +
                         " neighbours, more than the value type of counts holds");
  internal::for_each_index(space, "upsweep::count_neighbors::store", plan.rows,
                           neighbors::detail::store_counts<Counts>{list.offsets().data(), counts});
  space.fence("upsweep::count_neighbors::store");
  return plan;
}

UPSWEEP_WITHOUT_SPACE(count_neighbors)

}  // namespace upsweep
