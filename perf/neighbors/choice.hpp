// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../names.hpp"
#include "implementation.hpp"
#include "selection.hpp"

#include <cstddef>
#include <vector>

namespace perf::neighbors {

/// Every implementation that this program was built with; ours first: the pairs of others are compared with ours.
template <class Real>
std::vector<implementation<Real>> all_implementations() {
  std::vector<implementation<Real>> all;
  append(all, lists<Real>::by_upsweep());
#if defined(PERF_HAS_CABANA)
  append(all, lists<Real>::by_cabana());
#endif
#if defined(PERF_HAS_ARBORX)
  append(all, lists<Real>::by_arborx());
#endif
  return all;
}

/// How many pairs n particles of a workload have, about.
inline double expected_pairs(std::size_t n) {
  return static_cast<double>(n) * density * 4.18879020478639 * cutoff * cutoff * cutoff;
}

/// Registers the selected lists of one type; defined in register.hpp. `sizes` must fit into memory.
template <class Real>
void add_lists_of(list_selection const& selection, std::vector<std::size_t> const& sizes);

}  // namespace perf::neighbors
