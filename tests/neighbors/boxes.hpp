// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../oracle/points.hpp"

#include <upsweep/neighbors/box.hpp>

#include <array>
#include <cstring>
#include <vector>

namespace oracle {

template <class Real>
using vector3 = Kokkos::Array<Real, 3>;

template <class Real>
bool same_bits(vector3<Real> const& a, vector3<Real> const& b) {
  return std::memcmp(&a[0], &b[0], 3 * sizeof(Real)) == 0;
}

/// The library's box.
template <class Real>
upsweep::box<Real> to_box(cell_box<Real> const& b) {
  typename upsweep::box<Real>::vector const lo{b.lo[0], b.lo[1], b.lo[2]}, hi{b.hi[0], b.hi[1], b.hi[2]};
  if (!b.tilted()) return {lo, hi, {b.periodic[0], b.periodic[1], b.periodic[2]}};
  return upsweep::box<Real>::triclinic(lo, hi, {.xy = b.tilt[0], .xz = b.tilt[1], .yz = b.tilt[2]},
                                       {b.periodic[0], b.periodic[1], b.periodic[2]});
}

/// Positions as the library wraps them.
template <class Real>
std::vector<std::array<Real, 3>> wrapped_by_library(cell_box<Real> const& b, std::vector<std::array<Real, 3>> x) {
  auto const box = to_box(b);
  for (auto& p : x) {
    auto const w = box.wrap({p[0], p[1], p[2]});
    p = {w[0], w[1], w[2]};
  }
  return x;
}

}  // namespace oracle
