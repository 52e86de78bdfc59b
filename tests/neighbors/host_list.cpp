// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "host_list.hpp"

#include "../oracle/views.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

namespace oracle {

namespace {

template <class Real>
using positions_view = Kokkos::View<Real* [3], Kokkos::LayoutRight, memory>;

template <class Real>
positions_view<Real> to_view(points<Real> const& x, std::size_t first, std::size_t last) {
  positions_view<Real> const view("positions", last - first);
  auto const host = Kokkos::create_mirror_view(view);
  for (std::size_t i = first; i < last; ++i)
    for (int d = 0; d < 3; ++d) host(i - first, d) = x[i][static_cast<std::size_t>(d)];
  Kokkos::deep_copy(view, host);
  return view;
}

template <class Real>
upsweep::box<Real> to_box(cell_box<Real> const& b) {
  typename upsweep::box<Real>::vector const lo{b.lo[0], b.lo[1], b.lo[2]}, hi{b.hi[0], b.hi[1], b.hi[2]};
  if (!b.tilted()) return {lo, hi, {b.periodic[0], b.periodic[1], b.periodic[2]}};
  return upsweep::box<Real>::triclinic(lo, hi, {.xy = b.tilt[0], .xz = b.tilt[1], .yz = b.tilt[2]},
                                       {b.periodic[0], b.periodic[1], b.periodic[2]});
}

/// The rules on the device, and the options that point to them.
struct device_rules {
  Kokkos::View<std::int64_t*, memory> ids, excluded_ids;
  Kokkos::View<upsweep::image*, memory> images;
  Kokkos::View<int*, memory> types;
  Kokkos::View<double**, Kokkos::LayoutRight, memory> type_cutoffs;
  Kokkos::View<double*, memory> radii;
  Kokkos::View<std::size_t*, memory> excluded_offsets;
  upsweep::neighbor_options options;

  device_rules(pair_rules const& rules, build_settings const& settings, bool pair_images) {
    options = {.rows = rules.rows, .pair_images = pair_images, .half = rules.half, .order = settings.order, .builder = settings.builder,
               .memory_budget = settings.memory_budget};
    if (!rules.ids.empty()) options.ids = ids = to_device(rules.ids);
    if (!rules.images.empty()) {
      std::vector<upsweep::image> made;
      for (auto const& s : rules.images) made.emplace_back(s[0], s[1], s[2]);
      options.images = images = to_device(made);
    }
    if (!rules.types.empty()) options.types = types = to_device(rules.types);
    if (!rules.type_cutoffs.empty()) {
      type_cutoffs = decltype(type_cutoffs)("type_cutoffs", rules.type_cutoffs.size(), rules.type_cutoffs[0].size());
      auto const host = Kokkos::create_mirror_view(type_cutoffs);
      for (std::size_t a = 0; a < host.extent(0); ++a)
        for (std::size_t b = 0; b < host.extent(1); ++b) host(a, b) = rules.type_cutoffs[a][b];
      Kokkos::deep_copy(type_cutoffs, host);
      options.type_cutoffs = type_cutoffs;
    }
    if (!rules.radii.empty()) options.radii = radii = to_device(rules.radii);
    if (!rules.excluded_offsets.empty()) {
      options.exclusions.offsets = excluded_offsets = to_device(rules.excluded_offsets);
      options.exclusions.ids = excluded_ids = to_device(rules.excluded_ids);
    }
  }
};

template <class List>
host_list to_host_list(List const& list) {
  auto const offsets = to_host(list.offsets());
  auto const index = to_host(list.neighbors());
  auto const images = to_host(list.pair_images());
  host_list result{neighbor_rows(list.rows()), list.pairs(), list.largest_row(), 0};
  for (std::size_t i = 0; i < list.rows(); ++i)
    for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
      result.rows[i].emplace_back(index[k], images[k].x(), images[k].y(), images[k].z());
  return result;
}

}  // namespace

template <class Real>
host_list build_list(points<Real> const& x, cell_box<Real> const& box, Real cutoff, pair_rules const& rules,
                     build_settings const& settings) {
  device_rules const device(rules, settings, true);
  if (rules.queries < 0) {
    upsweep::neighbor_list const list(space{}, to_view(x, 0, x.size()), to_box(box), cutoff, device.options);
    auto result = to_host_list(list);
    result.hash = list.hash();
    return result;
  }
  auto const queries = static_cast<std::size_t>(rules.queries);
  return to_host_list(upsweep::neighbor_list(space{}, to_view(x, 0, queries), to_view(x, queries, x.size()), to_box(box), cutoff,
                                             device.options));
}

template host_list build_list(points<double> const&, cell_box<double> const&, double, pair_rules const&, build_settings const&);
template host_list build_list(points<float> const&, cell_box<float> const&, float, pair_rules const&, build_settings const&);

}  // namespace oracle
