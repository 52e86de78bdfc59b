// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>

#include <cmath>
#include <limits>

namespace upsweep::mpi::detail {

/// What bricks are cut in: the upright coordinates of a box, from lo to hi in each direction. Where a box of any edges
/// is open it has no borders, and all numbers that positions may have are between lo and hi.
template <class Real>
struct upright_frame {
  using vector = Kokkos::Array<Real, 3>;

  explicit upright_frame(upsweep::box<Real> const& whole) : box(whole) {
    constexpr Real far = std::numeric_limits<Real>::max() / 2;
    for (int d = 0; d < 3; ++d) {
      lo[d] = is_unbounded(d) ? -far : whole.lo(d);
      hi[d] = is_unbounded(d) ? far : whole.hi(d);
      last[d] = std::nextafter(hi[d], lo[d]);
    }
  }

  bool is_unbounded(int d) const { return box.is_of_edges() && !box.periodic(d); }
  bool is_unbounded() const { return is_unbounded(0) || is_unbounded(1) || is_unbounded(2); }

  /// Where bricks see a wrapped position: in [lo, hi). Rounding may leave upright coordinates of a triclinic box a
  /// little outside of its borders, which counts as on them. That takes no two particles further apart.
  KOKKOS_FUNCTION vector place(vector const& x) const { return box.is_orthogonal() ? x : triclinic_place(x); }

  /// Pre: box.is_triclinic(). What is not a number stays so.
  KOKKOS_FUNCTION vector triclinic_place(vector const& x) const {
    vector t = box.upright(x);
    for (int d = 0; d < 3; ++d) {
      if (t[d] < lo[d]) t[d] = lo[d];
      if (t[d] > last[d]) t[d] = last[d];
    }
    return t;
  }

  upsweep::box<Real> box;
  vector lo, hi, last;  ///< last: the largest number below hi
};

}  // namespace upsweep::mpi::detail
