// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/rows/listed_rows.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/internal/upright_reach.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace upsweep::mpi::detail {

// All in upright coordinates, which in an orthogonal box are positions. There an image is whole lengths away in each
// direction, in every box.

/// Particles that, moved by shift, are within [lo, hi] go over one link.
template <class Real>
struct halo_region {
  Kokkos::Array<Real, 3> lo, hi, shift;
};

/// One link: to or from a rank, as one image. One message carries all links between two ranks.
struct halo_link {
  int peer;
  upsweep::image image;
};

/// Which particles may be ghosts where. A function of bricks and radius, so it is made once for many builds.
template <class Real>
struct halo_plan {
  std::vector<halo_link> sends, receives;  ///< by peer, then image
  std::vector<halo_region<Real>> regions;  ///< of sends
  upsweep::mpi::brick<Real> inner;         ///< what lies strictly inside is a ghost nowhere
};

/// Images of ghosts are at most so many box lengths away: one less than images count, so that each has an opposite.
inline constexpr int farthest_image = image::limit - 1;

/// How far apart along each direction two particles within the radius can be.
template <class Real>
struct halo_reach {
  Kokkos::Array<Real, 3> links;   ///< with more than rounding can take away from a distance that is computed
  Kokkos::Array<Real, 3> margin;  ///< and with as much again
};

/// The reach in an orthogonal box, whose bits decide which particles are ghosts.
template <class Real>
halo_reach<Real> reach_along_axes(upsweep::box<Real> const& box, Real radius) {
  halo_reach<Real> reach;
  for (int d = 0; d < 3; ++d) {
    Real const largest = std::max(std::abs(box.lo(d)), std::abs(box.hi(d))) + box.length(d) + radius;
    Real const slack = 32 * std::numeric_limits<Real>::epsilon() * largest;
    reach.links[d] = radius + slack;
    reach.margin[d] = radius + 2 * slack;
  }
  return reach;
}

/// The reach in any box. In a triclinic one it is the radius over the height between two faces, as a part of the box'
/// length in that coordinate, and more than rounding can take away: what lists allow for, and 8 roundings of the
/// largest coordinate for sums and comparisons here. open_range: no coordinate is larger along directions without
/// borders.
template <class Real>
halo_reach<Real> find_reach(upright_frame<Real> const& frame, Real radius, Real open_range) {
  auto const& box = frame.box;
  if (box.is_orthogonal()) return reach_along_axes(box, radius);
  Kokkos::Array<Real, 3> lo, hi;
  for (int d = 0; d < 3; ++d) {
    lo[d] = frame.is_unbounded(d) ? -open_range : box.lo(d);
    hi[d] = frame.is_unbounded(d) ? open_range : box.hi(d);
  }
  auto const width = upsweep::internal::upright_reach(box, lo, hi, radius);
  halo_reach<Real> reach;
  for (int d = 0; d < 3; ++d) {
    Real const largest = std::max(std::abs(lo[d]), std::abs(hi[d])) + box.length(d) + width[d];
    Real const slack = 8 * std::numeric_limits<Real>::epsilon() * largest;
    reach.links[d] = width[d] + slack;
    reach.margin[d] = width[d] + 2 * slack;
  }
  return reach;
}

/// The images first ... last along one direction; none where first > last.
struct image_range {
  int first = 1, last = 0;
};

/// As which images the interval [from_lo, from_hi] meets [lo, hi] along direction d. Pre: require_images().
template <class Real>
image_range images_that_meet(upsweep::box<Real> const& box, int d, Real from_lo, Real from_hi, Real lo, Real hi) {
  // The same bits wherever a compiler puts this, as box::shift has them.
  auto const at = [&](Real x, int s) { return x + std::fma(static_cast<Real>(s), box.length(d), Real(0)); };
  auto const meets = [&](int s) { return at(from_lo, s) <= hi && at(from_hi, s) >= lo; };
  if (!box.periodic(d)) return meets(0) ? image_range{0, 0} : image_range{};
  // The divisions may be off by a rounding.
  image_range range{static_cast<int>(std::floor((lo - from_hi) / box.length(d))) - 1,
                    static_cast<int>(std::ceil((hi - from_lo) / box.length(d))) + 1};
  while (range.first <= range.last && !meets(range.first)) ++range.first;
  while (range.first <= range.last && !meets(range.last)) --range.last;
  return range;
}

/// Calls f(image, region) for every image as which particles of rank `from` may be ghosts on rank `to`, by image. A
/// function of the bricks alone, so that both ranks find the same. Most ranks are too far in one direction, which ends
/// it.
template <class Real, class F>
void for_each_link(domain<Real> const& parts, upsweep::mpi::brick<Real> const& from,
                   upsweep::mpi::brick<Real> const& to, bool same, halo_reach<Real> const& reach, F const& f) {
  auto const& box = parts.box();
  halo_region<Real> region;
  image_range range[3];
  for (int d = 0; d < 3; ++d) {
    region.lo[d] = to.lo[d] - reach.links[d];
    region.hi[d] = to.hi[d] + reach.links[d];
    range[d] = images_that_meet(box, d, from.lo[d], from.hi[d], region.lo[d], region.hi[d]);
    if (range[d].first > range[d].last) return;
  }
  for (int z = range[2].first; z <= range[2].last; ++z)
    for (int y = range[1].first; y <= range[1].last; ++y)
      for (int x = range[0].first; x <= range[0].last; ++x) {
        if (same && x == 0 && y == 0 && z == 0) continue;
        int const lengths[3] = {x, y, z};
        // The bits of box::shift in an orthogonal box.
        for (int d = 0; d < 3; ++d) region.shift[d] = std::fma(static_cast<Real>(lengths[d]), box.length(d), Real(0));
        f(upsweep::image(x, y, z), region);
      }
}

/// Throws precondition_error where ghosts would be images farther away than images count.
template <class Real>
void require_images(upsweep::box<Real> const& box, Real radius, char const* function) {
  for (int d = 0; d < 3; ++d) {
    if (!box.periodic(d)) continue;
    double const stretch = upsweep::internal::upright_stretch(box, d);
    if (static_cast<Real>(double(radius) * stretch) <= (farthest_image - 2) * box.length(d)) continue;
    bool const upright = box.is_orthogonal();
    throw precondition_error(
        std::string(function) + ": radius = " + upsweep::internal::text_of(radius) + " is more than " +
        std::to_string(farthest_image - 2) + (upright ? " lengths" : " heights") + " of the box in direction " +
        box.direction_name(d) + ", which is " +
        upsweep::internal::text_of(static_cast<Real>(double(box.length(d)) / stretch)) + (upright ? " long" : " high"));
  }
}

/// Pre: require_images(). Cost: three comparisons of borders for each rank, and the links of this one.
/// Throws: precondition_error where there are more links than entries of lists have bits for.
template <class Real>
halo_plan<Real> make_halo_plan(domain<Real> const& parts, int rank, halo_reach<Real> const& reach,
                               char const* function) {
  halo_plan<Real> plan;
  auto const mine = parts.brick(rank);
  auto const require_room = [&] {
    internal::require(plan.sends.size() < list_entry::lists && plan.receives.size() < list_entry::lists, function, [&] {
      return "a rank would exchange ghosts with more than " + std::to_string(list_entry::lists) +
             " bricks and images of bricks";
    });
  };
  for (int r = 0; r < parts.size(); ++r) {
    auto const other = parts.brick(r);
    for_each_link(parts, mine, other, r == rank, reach, [&](upsweep::image s, halo_region<Real> const& region) {
      require_room();
      plan.sends.push_back({r, s});
      plan.regions.push_back(region);
    });
    for_each_link(parts, other, mine, r == rank, reach, [&](upsweep::image s, halo_region<Real> const&) {
      require_room();
      plan.receives.push_back({r, s});
    });
  }
  for (int d = 0; d < 3; ++d) {
    plan.inner.lo[d] = mine.lo[d] + reach.margin[d];
    plan.inner.hi[d] = mine.hi[d] - reach.margin[d];
  }
  return plan;
}

}  // namespace upsweep::mpi::detail
