// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/pairs/pair_callback.hpp>
#include <upsweep/neighbors/detail/rules/neighbor_search.hpp>
#include <upsweep/neighbors/image.hpp>

#include <bit>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// The pairs of the particle at each place, by the plain search: one thread of a CPU per particle, in cell order. Some
/// of its pairs at a time are handed over.
template <class Real>
struct call_for_neighbors {
  neighbor_search<Real> search;
  pair_callback callback;

  void operator()(std::int64_t place) const {
    auto const& p = search.particles;
    int const i = p.order[place];
    if (i >= p.rows) return;
    some_pairs pairs(callback, i, p.order, p.first_candidate);
    search(i, add_to{pairs});
    pairs.hand_over();
  }

 private:
  struct some_pairs {
    pair_callback const& callback;
    int i;
    int const* order;
    int first_candidate;
    int count = 0;
    static constexpr int most = 64;
    int neighbors[most], images[most];

    // Not an aggregate, whose initialisation would clear all of it.
    some_pairs(pair_callback const& to, int particle, int const* particles, int first)
        : callback(to), i(particle), order(particles), first_candidate(first) {}

    // The search is a function of devices, too, and so is what it calls.
    KOKKOS_FUNCTION void add(row_hit<Real> const& hit) {
      if (count == most) hand_over();
      neighbors[count] = order[hit.place] - first_candidate;
      images[count++] = std::bit_cast<int>(hit.shift);
    }
    KOKKOS_FUNCTION void hand_over() {
      callback.call(callback.visitor, i, neighbors, images, count);
      count = 0;
    }
  };

  struct add_to {
    some_pairs& pairs;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(row_hit<Real> const& hit) const { pairs.add(hit); }
  };
};

}  // namespace upsweep::neighbors::detail
