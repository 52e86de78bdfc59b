// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// Takes whole edges of a box's periodic directions off a displacement, so that it becomes short: what is shorter than
/// half of each edge's part that is perpendicular to the edges before it is found, whatever was added to it.
/// Source: L. Babai, *On Lovasz' lattice reduction and the nearest lattice point problem*: nearest plane.
template <class Real>
class whole_edges {
 public:
  using vector = typename box<Real>::vector;

  explicit whole_edges(box<Real> const& box) {
    vector const edge[3] = {box.shift({1, 0, 0}), box.shift({0, 1, 0}), box.shift({0, 0, 1})};
    vector across[3];
    for (int d = 0; d < 3; ++d) {
      periodic_[d] = box.periodic(d);
      if (!periodic_[d]) continue;
      edge_[d] = across[d] = edge[d];
      for (int e = 0; e < d; ++e) {
        if (!periodic_[e]) continue;
        Real const times = dot(edge[d], per_edge_[e]);
        for (int c = 0; c < 3; ++c) across[d][c] -= times * across[e][c];
      }
      for (int c = 0; c < 3; ++c) per_edge_[d][c] = across[d][c] / dot(across[d], across[d]);
    }
  }

  /// A displacement between two wrapped positions without the edges, and these as the word of an image.
  struct reduced {
    vector rest;
    std::uint32_t edges;
  };
  KOKKOS_FUNCTION reduced operator()(vector way) const {
    std::uint32_t word = 512u << 20 | 512u << 10 | 512u;
    for (int d = 2; d >= 0; --d) {
      if (!periodic_[d]) continue;
      Real const edges = Kokkos::floor(dot(way, per_edge_[d]) + Real(0.5));
      if (edges == 0 || !(Kokkos::abs(edges) < most)) continue;
      word += static_cast<std::uint32_t>(static_cast<int>(edges)) << (10 * d);
      for (int c = 0; c < 3; ++c) way[c] = Kokkos::fma(-edges, edge_[d][c], way[c]);
    }
    return {way, word};
  }

 private:
  static constexpr Real most = 1 << 20;  ///< two positions in a box are less than 4000 edges apart

  KOKKOS_FUNCTION static Real dot(vector const& a, vector const& b) {
    return Kokkos::fma(a[2], b[2], Kokkos::fma(a[1], b[1], a[0] * b[0]));
  }

  bool periodic_[3];
  vector edge_[3] = {};
  vector per_edge_[3] = {};  ///< perpendicular to the edges before; its product with the edge is 1
};

}  // namespace upsweep::neighbors::detail
