// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// How the grid of a list is cut, where a device may have to do it.
template <class Real>
struct grid_cut {
  bool periodic[3] = {};  ///< directions that are cut from border to border of the box
  Real cutoff;
  std::int64_t particles;
  /// Where the box alone decides, the host lays out the grid without a look at particles. (One thread of a device takes
  /// some microseconds for it.)
  bool is_known = false;
  grid_layout<Real> known = {};

  grid_cut(box<Real> const& box, bool has_images, Real r, std::int64_t n) : cutoff(r), particles(n) {
    is_known = !box.is_of_edges() && !has_images;
    for (int d = 0; d < 3; ++d) {
      periodic[d] = box.periodic(d) && !has_images;
      is_known = is_known && periodic[d];
    }
    if (is_known) known = cut(box, {});
  }

  KOKKOS_FUNCTION grid_layout<Real> cut(box<Real> const& box, bounds<Real> const& range) const {
    return lay_out_grid(make_grid_frame(box, range, periodic, cutoff), cutoff, particles);
  }
};

}  // namespace upsweep::neighbors::detail
