// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/require.hpp>
#include <upsweep/base/internal/text_of.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/listed_rows.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/neighbors/image.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace upsweep::mpi::detail {

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

/// More than rounding can take away from a distance that is computed from coordinates of this size.
template <class Real>
Real halo_slack(upsweep::box<Real> const& box, int d, Real radius) {
  Real const largest = std::max(std::abs(box.lo(d)), std::abs(box.hi(d))) + box.length(d) + radius;
  return 32 * std::numeric_limits<Real>::epsilon() * largest;
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
                   upsweep::mpi::brick<Real> const& to, bool same, Real radius, F const& f) {
  auto const& box = parts.box();
  halo_region<Real> region;
  image_range range[3];
  for (int d = 0; d < 3; ++d) {
    Real const reach = radius + halo_slack(box, d, radius);
    region.lo[d] = to.lo[d] - reach;
    region.hi[d] = to.hi[d] + reach;
    range[d] = images_that_meet(box, d, from.lo[d], from.hi[d], region.lo[d], region.hi[d]);
    if (range[d].first > range[d].last) return;
  }
  for (int z = range[2].first; z <= range[2].last; ++z)
    for (int y = range[1].first; y <= range[1].last; ++y)
      for (int x = range[0].first; x <= range[0].last; ++x) {
        if (same && x == 0 && y == 0 && z == 0) continue;
        region.shift = box.shift(upsweep::image(x, y, z));
        f(upsweep::image(x, y, z), region);
      }
}

/// Throws precondition_error where ghosts would be images farther away than images count.
template <class Real>
void require_images(upsweep::box<Real> const& box, Real radius, char const* function) {
  for (int d = 0; d < 3; ++d)
    if (box.periodic(d) && !(radius <= (farthest_image - 2) * box.length(d)))
      throw precondition_error(std::string(function) + ": radius = " + upsweep::internal::text_of(radius) +
                               " is more than " + std::to_string(farthest_image - 2) +
                               " lengths of the box in direction " + box.direction_name(d) + ", which is " +
                               upsweep::internal::text_of(box.length(d)) + " long");
}

/// Pre: require_images(). Cost: three comparisons of borders for each rank, and the links of this one.
/// Throws: precondition_error where there are more links than entries of lists have bits for.
template <class Real>
halo_plan<Real> make_halo_plan(domain<Real> const& parts, int rank, Real radius, char const* function) {
  halo_plan<Real> plan;
  auto const mine = parts.brick(rank);
  auto const require_room = [&] {
    internal::require(plan.sends.size() < list_entry::lists && plan.receives.size() < list_entry::lists, function,
                      "a rank would exchange ghosts with more than " + std::to_string(list_entry::lists) +
                          " bricks and images of bricks");
  };
  for (int r = 0; r < parts.size(); ++r) {
    auto const other = parts.brick(r);
    for_each_link(parts, mine, other, r == rank, radius, [&](upsweep::image s, halo_region<Real> const& region) {
      require_room();
      plan.sends.push_back({r, s});
      plan.regions.push_back(region);
    });
    for_each_link(parts, other, mine, r == rank, radius, [&](upsweep::image s, halo_region<Real> const&) {
      require_room();
      plan.receives.push_back({r, s});
    });
  }
  for (int d = 0; d < 3; ++d) {
    Real const margin = radius + 2 * halo_slack(parts.box(), d, radius);
    plan.inner.lo[d] = mine.lo[d] + margin;
    plan.inner.hi[d] = mine.hi[d] - margin;
  }
  return plan;
}

}  // namespace upsweep::mpi::detail
