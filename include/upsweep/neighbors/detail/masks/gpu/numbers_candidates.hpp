// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/hit_masks.hpp>

#include <type_traits>

namespace upsweep::neighbors::detail {

/// Whether candidates of groups have a flat numbering (count_flat.hpp): where they are few, all particles are in one
/// image, and rows are not limited. Counting and emission ask for the same pass, since each has words of its own.
/// H100, 2026-11-25, 10^6 uniform particles in double, count + emission in us: 20 neighbours 425 + 269 with blocks of
/// candidates, 275 + 233 numbered, 1228 + 744 with a warp per row; 78 neighbours 528 + 392, 392 + 497, 2294 + 1060.
/// Whole builds: 946 and 1118 us before, 765 and 1089 numbered. Where several warps share a group, more candidates pay,
/// too.
template <class Real, class Systems>
bool numbers_candidates(mask_pass<Real, Systems> const& pass, int warps_per_group = 1) {
  if constexpr (std::is_same_v<Systems, one_system<Real>>) {
    auto const& p = pass.search.particles;
    auto const& rules = pass.search.rules;
    // Excluded particles are found by their indices. Where they have ids, each hit would have to be asked for its id,
    // which takes 1.2 times as long as the kernel of blocks.
    if (rules.limits_rows() || (rules.excluded_offsets != nullptr && rules.ids != nullptr)) return false;
    if (p.images != nullptr || p.has_classes()) return false;
    // Then a group has 9 runs, each in up to 3 images, and no particle is its own neighbour in another one.
    for (int const reach : p.grid.reach)
      if (reach != 1) return false;
    double const most = warps_per_group > 1 ? 1000 : 640;  // candidates per particle, on average
    return 27.0 * p.places <= most * p.grid.total();
  } else {
    return false;
  }
}

}  // namespace upsweep::neighbors::detail
