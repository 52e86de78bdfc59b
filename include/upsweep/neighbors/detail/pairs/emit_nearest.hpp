// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/rules/nearest_hits.hpp>
#include <upsweep/neighbors/detail/rules/neighbor_search.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// As emit_neighbors, of each row the nearest that rules let it keep: searches again for each pass of the choice.
template <class Real, class Record, class Systems = one_system<Real>>
struct emit_nearest {
  neighbor_search<Real, Systems> search;

  KOKKOS_FUNCTION void operator()(std::int64_t i, emitter<Record> const& emit) const {
    std::size_t const most = search.rules.most_in_row;
    if (emit.counts_only()) {
      std::size_t found = 0;
      search(i, [&](row_hit<Real> const&) { ++found; });
      return emit.add(found < most ? found : most);
    }
    std::uint32_t memory[nearest_hits<Real>::words];
    nearest_hits<Real> nearest({search.rules}, memory, 1);
    nearest.start(most, search.particles.cutoff_squared);
    do search(i, [&](row_hit<Real> const& hit) { nearest.add(hit); });
    while (!nearest.finish_pass());
    typename emit_neighbors<Real, Record, Systems>::to_emitter const out{search.particles, emit};
    search(i, [&](row_hit<Real> const& hit) {
      if (nearest.has(hit)) out(hit);
    });
  }
};

}  // namespace upsweep::neighbors::detail
