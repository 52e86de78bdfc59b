// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/box.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>

namespace upsweep::neighbors::detail {

template <class Real>
using edges = std::array<std::array<Real, 3>, 3>;

/// The vectors by which a box repeats: (Lx, 0, 0), (xy, Ly, 0), (xz, yz, Lz), or any three, of which those of open
/// directions do not matter and are zero here.
template <std::floating_point Real>
edges<Real> edges_of(box<Real> const& b) {
  edges<Real> e;
  for (std::size_t k = 0; k < 3; ++k) {
    int const d = static_cast<int>(k);
    auto const edge = b.edge(d);
    e[k] = {0, 0, 0};
    if (b.periodic(d) || !b.is_of_edges()) e[k] = {edge[0], edge[1], edge[2]};
  }
  return e;
}

/// Height of a box that is not of any edges over the face of edges other than k.
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

template <std::floating_point Real>
Real length_of(std::array<Real, 3> const& v) {
  return std::hypot(v[0], v[1], v[2]);
}

template <std::floating_point Real>
edges<Real> difference(edges<Real> const& now, edges<Real> const& before) {
  edges<Real> moved{};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t d = 0; d < 3; ++d) moved[k][d] = now[k][d] - before[k][d];
  return moved;
}

/// How far images of up to so many edges are moved by changes of the edges.
template <std::floating_point Real>
box_change_result<Real> change_of_shifts(edges<Real> const& now, edges<Real> const& moved,
                                         std::array<Real, 3> const& images) {
  Real shift = 0;
  for (std::size_t k = 0; k < 3; ++k) shift += images[k] * length_of(now[k]);
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

/// How a change of edges may move images of particles that come within `reach` of each other; needs_rebuild says why.
template <std::floating_point Real>
box_change_result<Real> box_change(edges<Real> const& now, edges<Real> const& before,
                                   std::array<bool, 3> const& periodic, Real reach) {
  edges<Real> const moved = difference(now, before);
  Real all = 0;
  for (auto const& edge : moved) all += length_of(edge);
  std::array<Real, 3> images{};
  for (std::size_t k = 0; k < 3; ++k)
    if (periodic[k]) images[k] = 1 + std::floor((reach + all) / height(now, k));
  return change_of_shifts(now, moved, images);
}

/// The same for boxes of any edges, in whose open directions particles may be any distance apart, so that their place
/// in the present box is not known; that in the box at the build is.
///
/// Along the normal over the face of the others, particles were less than a height h_k apart at the build, so their
/// vector d0 in image s has |s_k| <= 1 + |d0| / h_k. Within the cutoff now, |d0| <= cutoff + skin + Y, with Y the sum
/// of |s_k| m_k and m_k how far edge k has moved, if particles have moved by no more than the skin (else the list is
/// not kept anyway). So Y <= M + Y Q, with M the sum of m_k (1 + (cutoff + skin) / h_k), and Q the sum of m_k / h_k. A
/// box with Q of 1/2 or more has changed too much to say. Wrapped particles may be outside by a small part of a height,
/// for which a sixteenth is added.
template <std::floating_point Real>
box_change_result<Real> box_change(box<Real> const& now, box<Real> const& before, Real reach) {
  auto const e = edges_of(now), e_before = edges_of(before);
  if (!now.is_of_edges() && !before.is_of_edges())
    return box_change<Real>(e, e_before, {now.periodic(0), now.periodic(1), now.periodic(2)}, reach);
  auto const moved = difference(e, e_before);
  std::array<Real, 3> images{}, high{};
  Real way = 0, part = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    int const d = static_cast<int>(k);
    if (!now.periodic(d)) continue;
    high[k] = before.is_of_edges() ? before.length(d) : height(e_before, k);
    way += length_of(moved[k]) * (1 + reach / high[k]);
    part += length_of(moved[k]) / high[k];
  }
  if (!(part < Real(0.5))) return {std::numeric_limits<Real>::infinity(), 0};
  for (std::size_t k = 0; k < 3; ++k)
    if (high[k] > 0) images[k] = 1 + std::floor(Real(1.001) * (reach + way / (1 - part)) / high[k] + Real(0.0625));
  return change_of_shifts(e, moved, images);
}

}  // namespace upsweep::neighbors::detail
