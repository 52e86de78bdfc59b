// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/index.hpp>
#include <upsweep/base/internal/require.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/detail/listed_rows.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/pack_lists.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace upsweep::mpi::detail {

/// Particles that, moved by shift, stand within [lo, hi] go over one link.
template <class Real>
struct halo_region {
  Kokkos::Array<Real, 3> lo, hi, shift;
};

/// One link: to or from a rank, as one image. One message carries all links between two ranks.
struct halo_link {
  int peer;
  upsweep::image image;
};

template <class Real>
struct halo_plan {
  std::vector<halo_link> sends, receives;  ///< by peer, then image
  std::vector<halo_region<Real>> regions;  ///< of sends
  upsweep::mpi::brick<Real> inner;         ///< what lies strictly inside is a ghost nowhere
};

/// How far beyond the radius ghosts are taken along one direction: more than rounding can take away from a distance
/// that is computed from coordinates of this size.
template <class Real>
Real halo_slack(upsweep::box<Real> const& box, int d, Real radius) {
  Real const largest = std::max(std::abs(box.lo(d)), std::abs(box.hi(d))) + box.length(d) + radius;
  return 32 * std::numeric_limits<Real>::epsilon() * largest;
}

/// Calls f(image, region) for every image as which particles of rank `from` may be ghosts on rank `to`, by image. A
/// function of the bricks alone, so that both ranks find the same.
template <class Real, class F>
void for_each_link(domain<Real> const& parts, upsweep::mpi::brick<Real> const& from,
                   upsweep::mpi::brick<Real> const& to, bool same, Real radius, F const& f) {
  auto const& box = parts.box();
  // Bricks are no thinner than the radius, so images next to the box suffice, unless they are all of the box and as
  // thin as the radius.
  int reach[3];
  for (int d = 0; d < 3; ++d)
    reach[d] = !box.periodic(d) ? 0 : (radius + 2 * halo_slack(box, d, radius) < box.length(d) ? 1 : 2);
  for (int z = -reach[2]; z <= reach[2]; ++z)
    for (int y = -reach[1]; y <= reach[1]; ++y)
      for (int x = -reach[0]; x <= reach[0]; ++x) {
        if (same && x == 0 && y == 0 && z == 0) continue;
        halo_region<Real> region;
        region.shift = box.shift(upsweep::image(x, y, z));
        bool meet = true;
        for (int d = 0; d < 3; ++d) {
          Real const slack = halo_slack(box, d, radius);
          region.lo[d] = to.lo[d] - radius - slack;
          region.hi[d] = to.hi[d] + radius + slack;
          meet = meet && from.lo[d] + region.shift[d] <= region.hi[d] && from.hi[d] + region.shift[d] >= region.lo[d];
        }
        if (meet) f(upsweep::image(x, y, z), region);
      }
}

template <class Real>
halo_plan<Real> make_halo_plan(domain<Real> const& parts, int rank, Real radius) {
  halo_plan<Real> plan;
  auto const mine = parts.brick(rank);
  auto const bricks = parts.bricks();
  for (int r = 0; r < static_cast<int>(bricks.size()); ++r) {
    auto const& other = bricks[static_cast<std::size_t>(r)];
    for_each_link(parts, mine, other, r == rank, radius, [&](upsweep::image s, halo_region<Real> const& region) {
      plan.sends.push_back({r, s});
      plan.regions.push_back(region);
    });
    for_each_link(parts, other, mine, r == rank, radius, [&](upsweep::image s, halo_region<Real> const&) {
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

/// Whether a particle is near enough to the border of its brick that it may meet another one.
template <class Positions, class Real>
struct is_near_border {
  Positions positions;
  upsweep::mpi::brick<Real> inner;
  KOKKOS_FUNCTION bool operator()(std::int64_t i) const {
    bool inside = true;
    for (int d = 0; d < 3; ++d) inside = inside && positions(i, d) > inner.lo[d] && positions(i, d) < inner.hi[d];
    return !inside;
  }
};

/// Emits an entry for each link that a particle crosses, the first, second, ... of those near the border.
template <class Positions, class Particles, class Regions>
struct links_of_particle {
  Positions positions;
  Particles particles;
  Regions regions;

  KOKKOS_FUNCTION void operator()(std::int64_t k, upsweep::emitter<std::size_t> const& emit) const {
    std::size_t const i = particles(k);
    auto const x = positions(i, 0), y = positions(i, 1), z = positions(i, 2);
    // In the domain's type, which may be longer than the positions': a rounded sum would leave ghosts out.
    auto const meets = [](auto const& region, auto at, int d) {
      auto const shifted = at + region.shift[d];
      return shifted >= region.lo[d] && shifted <= region.hi[d];
    };
    for (std::size_t l = 0; l < regions.extent(0); ++l) {
      auto const& region = regions(l);
      if (meets(region, x, 0) && meets(region, y, 1) && meets(region, z, 2)) emit(list_entry::make(l, i));
    }
  }
};

/// The particles of each link, in order. Waits for the instance.
template <class ExecutionSpace, class Positions, class Real>
listed_rows<ExecutionSpace> list_by_link(ExecutionSpace const& space, Positions const& positions,
                                         halo_plan<Real> const& plan) {
  static constexpr char const* function = "halo";
  std::size_t const n = positions.extent(0);
  internal::require(n <= list_entry::rows, function,
                    "there are " + std::to_string(n) + " particles; at most 2^40 - 1 are supported");
  workspace memory(space);
  auto const near = allocate<std::size_t>(space, n, function, "border");
  std::size_t const border = upsweep::compact_indices(space, static_cast<std::int64_t>(n), near,
                                                      is_near_border<Positions, Real>{positions, plan.inner},
                                                      upsweep::scan_options{.workspace = &memory, .label = function});
  auto const regions = to_device(space, plan.regions, function, "regions");
  using functor =
      links_of_particle<Positions, std::remove_cvref_t<decltype(near)>, std::remove_cvref_t<decltype(regions)>>;
  // Few particles go over more links than one in a corner of equal bricks: over three faces, three edges, a corner.
  auto const links =
      upsweep::pack_lists<std::size_t>(space, static_cast<std::int64_t>(border), functor{positions, near, regions},
                                       {.workspace = &memory, .label = function, .buffer_records = 7});
  auto const entries = links.values;
  using entries_type = std::remove_cvref_t<decltype(entries)>;
  std::size_t const size = entries.extent(0);
  sort_entries(space, entries, plan.regions.size(), memory, function);
  listed_rows<ExecutionSpace> result{
      offsets_of_lists(space, size, list_of_entry<entries_type>{entries}, plan.regions.size(), memory, function),
      entries};
  Kokkos::parallel_for(internal::label(function, "rows"), upsweep::internal::index_policy(space, size),
                       store_rows<entries_type, entries_type>{entries, entries, size, 0});
  return result;
}

}  // namespace upsweep::mpi::detail
