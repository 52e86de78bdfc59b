// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/rules/pair_rules.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// What rules about ids know of the particle of a lane, which looks at its candidates one after the other.
template <class Real>
struct lane_ids {
  using rules_type = pair_rules<Real>;

  std::int64_t own = 0;
  typename rules_type::exclusions without = {0, 0};
  std::int64_t first_excluded = 0;  ///< where there is one

  KOKKOS_FORCEINLINE_FUNCTION static lane_ids of(rules_type const& rules, int place) {
    lane_ids result{rules.id(place), rules.excluded_of(place)};
    if (result.without.first < result.without.end) result.first_excluded = rules.excluded[result.without.first];
    return result;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool excludes(rules_type const& rules, std::int64_t id) const {
    if (without.first == without.end) return false;
    bool found = id == first_excluded;
    for (std::size_t k = without.first + 1; k < without.end; ++k) found = found || rules.excluded[k] == id;
    return found;
  }
};

}  // namespace upsweep::neighbors::detail
