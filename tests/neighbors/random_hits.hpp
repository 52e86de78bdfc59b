// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Hits of a row to choose the nearest of: many at equal distances, with ids and images that decide between them.

#include <upsweep/neighbors/detail/rules/nearest_hits.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

namespace oracle {

template <class Real>
struct hits_of_row {
  std::vector<upsweep::neighbors::detail::row_hit<Real>> hits;
  std::vector<int> order;         ///< index of the particle at each place
  std::vector<std::int64_t> ids;  ///< likewise, or empty

  upsweep::neighbors::detail::pair_rules<Real> rules() const {
    upsweep::neighbors::detail::pair_rules<Real> rules;
    rules.order = order.data();
    rules.ids = ids.empty() ? nullptr : ids.data();
    return rules;
  }
  auto key(upsweep::neighbors::detail::row_hit<Real> const& hit) const {
    auto const place = static_cast<std::size_t>(hit.place);
    upsweep::image const s = hit.shift;
    return std::tuple(hit.squared, ids.empty() ? std::int64_t(order[place]) : ids[place], s.z(), s.y(), s.x(),
                      order[place]);
  }

  /// The first `wanted` by a sort.
  std::vector<upsweep::neighbors::detail::row_hit<Real>> nearest(std::size_t wanted) const {
    auto first = hits;
    std::sort(first.begin(), first.end(), [&](auto const& a, auto const& b) { return key(a) < key(b); });
    first.resize(std::min(wanted, first.size()));
    return first;
  }
};

enum class distances { spread, near_ties, few_values, all_zero, tiny, at_the_cutoff };
enum class names { indices, ids, few_ids, far_apart };

/// n hits within a cutoff of 2.5, each of another place or in another image.
template <class Real>
hits_of_row<Real> random_row(int n, distances how, names by, std::mt19937_64& random) {
  auto const below = [&](int m) { return static_cast<int>(random() % static_cast<unsigned>(m)); };
  hits_of_row<Real> row;
  int const places = n / 2 + 1;
  row.order.resize(static_cast<std::size_t>(places));
  std::iota(row.order.begin(), row.order.end(), 0);
  std::shuffle(row.order.begin(), row.order.end(), random);
  for (int i = 0; by != names::indices && i < places; ++i) {
    std::int64_t const id = by == names::few_ids ? below(3) : i;
    row.ids.push_back(by == names::far_apart ? (i % 2 == 0 ? std::numeric_limits<std::int64_t>::min() + id
                                                           : std::numeric_limits<std::int64_t>::max() - id)
                                             : id);
  }
  std::shuffle(row.ids.begin(), row.ids.end(), random);
  std::uniform_real_distribution<Real> u(0, Real(6.25));
  Real const shells[] = {1, 2, 3, Real(4.5)};
  for (int k = 0; k < n; ++k) {
    Real squared = u(random);
    if (how == distances::near_ties) {
      squared = shells[below(4)];
      for (int ulps = below(4); ulps > 0; --ulps) squared = std::nextafter(squared, Real(9));
    }
    if (how == distances::few_values) squared = shells[below(4)];
    if (how == distances::all_zero) squared = 0;
    if (how == distances::tiny) squared = std::ldexp(squared, -below(100));
    if (how == distances::at_the_cutoff) squared = below(2) == 0 ? Real(6.25) : squared;
    // Two hits of each place, in different images.
    row.hits.push_back(
        {squared, k / 2,
         k % 2 == 0 ? upsweep::image(0, 0, 0) : upsweep::image(below(3) - 1, 1 + below(2), below(5) - 2)});
  }
  std::shuffle(row.hits.begin(), row.hits.end(), random);
  return row;
}

}  // namespace oracle
