// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/grid/binned_particles.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// Where a list keeps what it says of pairs beside neighbours and images; null: not asked for. Entry k is of pair k.
template <class Real>
struct pair_slots {
  int* first_indices = nullptr;
  int* unwrapped_images = nullptr;  ///< three per pair
  Real* displacements = nullptr;    ///< three per pair
  Real* distances = nullptr;
  int const* edges_off = nullptr;  ///< three per place: what wrapping took off; null where it took nothing off

  KOKKOS_FUNCTION bool measures() const { return displacements != nullptr || distances != nullptr; }
  KOKKOS_FUNCTION bool needs_image() const { return unwrapped_images != nullptr || measures(); }
  KOKKOS_FUNCTION bool any() const { return first_indices != nullptr || needs_image(); }

  std::size_t bytes_of_pair() const {
    return (first_indices != nullptr ? sizeof(int) : 0) + (unwrapped_images != nullptr ? 3 * sizeof(int) : 0) +
           (displacements != nullptr ? 3 * sizeof(Real) : 0) + (distances != nullptr ? sizeof(Real) : 0);
  }

  /// The whole edges that wrapping took off the particle at a place.
  KOKKOS_FUNCTION Kokkos::Array<int, 3> edges_of(int place) const {
    if (edges_off == nullptr) return {0, 0, 0};
    int const* const n = edges_off + 3 * static_cast<std::ptrdiff_t>(place);
    return {n[0], n[1], n[2]};
  }
};

/// The displacement of the particle at `place` in image s from the one at `own`, and its square: the numbers by which
/// a pair is in a list.
template <class Real>
struct measured_pair {
  Real x, y, z, squared;

  template <class Systems>
  KOKKOS_FUNCTION measured_pair(binned_particles<Real, Systems> const& p, int own, int place, image s)
      : measured_pair(p, own, p.x[place] - p.x[own], p.y[place] - p.y[own], p.z[place] - p.z[own], s) {}
  /// The same of the displacement in image (0, 0, 0).
  template <class Systems>
  KOKKOS_FUNCTION measured_pair(binned_particles<Real, Systems> const& p, int own, Real dx, Real dy, Real dz, image s) {
    auto const shift = p.box_of(p.system_of(p.order[own])).shift(s);
    x = dx + shift[0];
    y = dy + shift[1];
    z = dz + shift[2];
    squared = p.length_squared(x, y, z);
  }
};

/// Stores the values of pair k, which is the particle at `own` and, in image s, the one at `place`. measure(): the
/// measured_pair, where something needs it.
template <class Real, class Systems, class Measure>
KOKKOS_FUNCTION void store_pair(pair_slots<Real> const& to, std::size_t k, binned_particles<Real, Systems> const& p,
                                int own, int place, image s, Measure const& measure) {
  if (to.first_indices != nullptr) to.first_indices[k] = p.order[own];
  if (to.unwrapped_images != nullptr) {
    auto const n_i = to.edges_of(own), n_j = to.edges_of(place);
    for (int d = 0; d < 3; ++d) to.unwrapped_images[3 * k + d] = s[d] + (n_i[d] - n_j[d]);
  }
  if (!to.measures()) return;
  measured_pair<Real> const found = measure();
  if (to.distances != nullptr) to.distances[k] = Kokkos::sqrt(found.squared);
  if (to.displacements == nullptr) return;
  to.displacements[3 * k] = found.x;
  to.displacements[3 * k + 1] = found.y;
  to.displacements[3 * k + 2] = found.z;
}
template <class Real, class Systems>
KOKKOS_FUNCTION void store_pair(pair_slots<Real> const& to, std::size_t k, binned_particles<Real, Systems> const& p,
                                int own, int place, image s) {
  store_pair(to, k, p, own, place, s, [&] { return measured_pair<Real>(p, own, place, s); });
}

}  // namespace upsweep::neighbors::detail
