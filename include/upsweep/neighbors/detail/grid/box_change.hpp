// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/box.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>

namespace upsweep::neighbors::detail {

template <class Real>
using edges = std::array<std::array<Real, 3>, 3>;

/// The vectors by which a box repeats: (Lx, 0, 0), (xy, Ly, 0), (xz, yz, Lz).
template <std::floating_point Real>
edges<Real> edges_of(box<Real> const& b) {
  edges<Real> e;
  for (std::size_t k = 0; k < 3; ++k) {
    auto const edge = b.edge(static_cast<int>(k));
    e[k] = {edge[0], edge[1], edge[2]};
  }
  return e;
}

/// Height of the box over the face of edges other than k.
template <std::floating_point Real>
Real height(edges<Real> const& e, std::size_t k) {
  auto const &p = e[(k + 1) % 3], &q = e[(k + 2) % 3];
  Real const face = std::hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]);
  return e[0][0] * e[1][1] * e[2][2] / face;
}

template <std::floating_point Real>
struct box_change_result {
  Real length;         ///< by how much the shift of an image that can matter has changed, at most
  Real largest_shift;  ///< of such an image, roughly
};

/// How a change of edges may move images of particles that come within `reach` of each other; needs_rebuild says why.
template <std::floating_point Real>
box_change_result<Real> box_change(edges<Real> const& now, edges<Real> const& before,
                                   std::array<bool, 3> const& periodic, Real reach) {
  auto const length_of = [](std::array<Real, 3> const& v) { return std::hypot(v[0], v[1], v[2]); };
  edges<Real> moved{};
  Real all = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t d = 0; d < 3; ++d) moved[k][d] = now[k][d] - before[k][d];
    all += length_of(moved[k]);
  }
  std::array<Real, 3> images{};
  Real shift = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (periodic[k]) images[k] = 1 + std::floor((reach + all) / height(now, k));
    shift += images[k] * length_of(now[k]);
  }
  // A sum of the edges' changes is longest where each counts as often as it may; of two opposite sums one is enough.
  Real longest = 0;
  for (Real const y : {images[1], -images[1]})
    for (Real const z : {images[2], -images[2]}) {
      std::array<Real, 3> sum{};
      for (std::size_t d = 0; d < 3; ++d) sum[d] = images[0] * moved[0][d] + y * moved[1][d] + z * moved[2][d];
      longest = std::max(longest, length_of(sum));
    }
  return {longest, shift};
}

}  // namespace upsweep::neighbors::detail
