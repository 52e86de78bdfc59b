// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid/choose_classes.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace oracle {

/// The size classes of a list whose particles are all over the box.
template <class Real>
std::optional<upsweep::neighbors::detail::chosen_classes<Real>> choose_classes(upsweep::box<Real> const& box,
                                                                               bool const (&periodic)[3], Real cutoff,
                                                                               std::vector<double> const& radii) {
  upsweep::neighbors::detail::bounds<Real> range;
  for (int d = 0; d < 3; ++d) range.lo[d] = box.lo(d), range.hi[d] = box.hi(d);
  auto const frame = upsweep::neighbors::detail::make_grid_frame(box, range, periodic, cutoff);
  auto const one_grid =
      upsweep::neighbors::detail::make_grid_geometry(box, frame, cutoff, static_cast<std::int64_t>(radii.size()));
  upsweep::neighbors::detail::radius_bins const bins{double(cutoff)};
  std::uint32_t counts[upsweep::neighbors::detail::radius_bins::count] = {};
  for (double r : radii) ++counts[bins(r)];
  return upsweep::neighbors::detail::class_chooser<Real>(frame, cutoff, 1)(counts, one_grid);
}

}  // namespace oracle
