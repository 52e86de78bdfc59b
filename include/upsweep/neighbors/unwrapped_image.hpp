// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/image.hpp>

#include <concepts>

namespace upsweep {

/// The image of a pair for positions as they were given, not wrapped: `unwrapped_image(box, s, x_i, x_j)` with s the
/// image in a list's row i is S, such that j, as seen from i, is at x_j + S_0 a + S_1 b + S_2 c, with a, b and c the
/// edges. (ASE: S of neighbor_list('ijS').) It is s where both are in the box.
/// Pre: neither position has a fault(); they are less than 2^30 edges apart.
template <std::floating_point Real>
KOKKOS_FUNCTION Kokkos::Array<int, 3> unwrapped_image(box<Real> const& sim_box, image const& s,
                                                      typename box<Real>::vector const& x_i,
                                                      typename box<Real>::vector const& x_j) {
  auto const n_i = sim_box.edges_off(x_i), n_j = sim_box.edges_off(x_j);
  return {s.x() + (n_i[0] - n_j[0]), s.y() + (n_i[1] - n_j[1]), s.z() + (n_i[2] - n_j[2])};
}

}  // namespace upsweep
