// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "host_list.hpp"

#include "lists.hpp"

#include <upsweep/neighbors/for_each_pair.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace oracle {

namespace {

/// The rules on the device, and the options that point to them.
struct device_rules {
  Kokkos::View<std::int64_t*, memory> ids, excluded_ids;
  Kokkos::View<std::int32_t*, memory> narrow_ids;
  Kokkos::View<upsweep::image*, memory> images;
  Kokkos::View<int*, memory> types;
  Kokkos::View<double**, Kokkos::LayoutRight, memory> type_cutoffs;
  Kokkos::View<double*, memory> radii;
  Kokkos::View<std::size_t*, memory> excluded_offsets;
  upsweep::neighbor_options options;

  device_rules(pair_rules const& rules, build_settings const& settings) {
    options = {.half = rules.half,
               .newton = rules.newton,
               .include_cutoff = rules.include_cutoff,
               .max_neighbors = rules.max_neighbors,
               .pair_images = settings.pair_images,
               .first_indices = settings.first_indices,
               .unwrapped_images = settings.unwrapped_images,
               .displacements = settings.displacements,
               .distances = settings.distances,
               .order = settings.order,
               .builder = settings.builder,
               .memory_budget = settings.memory_budget};
    if (rules.rows >= 0) options.rows = static_cast<std::size_t>(rules.rows);
    if (!rules.ids.empty() && settings.narrow_ids)
      options.ids = narrow_ids = to_device(std::vector<std::int32_t>(rules.ids.begin(), rules.ids.end()));
    else if (!rules.ids.empty()) options.ids = ids = to_device(rules.ids);
    if (!rules.images.empty()) {
      std::vector<upsweep::image> made;
      for (auto const& s : rules.images) made.emplace_back(s[0], s[1], s[2]);
      options.images = images = to_device(made);
    }
    if (!rules.types.empty()) options.types = types = to_device(rules.types);
    if (!rules.type_cutoffs.empty()) {
      type_cutoffs = decltype(type_cutoffs)("type_cutoffs", rules.type_cutoffs.size(), rules.type_cutoffs[0].size());
      oracle::host_copy const host(type_cutoffs);
      for (std::size_t a = 0; a < host.extent(0); ++a)
        for (std::size_t b = 0; b < host.extent(1); ++b) host(a, b) = rules.type_cutoffs[a][b];
      host.write();
      options.type_cutoffs = type_cutoffs;
    }
    if (!rules.radii.empty()) options.radii = radii = to_device(rules.radii);
    if (!rules.excluded_offsets.empty()) {
      options.exclusions.offsets = excluded_offsets = to_device(rules.excluded_offsets);
      options.exclusions.ids = excluded_ids = to_device(rules.excluded_ids);
    }
  }
};

template <class Real>
using list_type = upsweep::neighbor_list<space, Real>;

/// What the list keeps of all pairs; checks that it keeps what options ask for, and nothing else.
template <class Real>
std::vector<pair_value> values_of(list_type<Real> const& list, build_settings const& kept) {
  std::vector<pair_value> values(list.pairs());
  auto const each = [&](auto const& optional, bool wanted, auto const& store) {
    EXPECT_EQ(optional.given(), wanted);
    if (!optional.given()) return;
    EXPECT_EQ(optional.extent(0), list.pairs());
    oracle::host_copy const host(optional.view());
    for (std::size_t k = 0; k < host.extent(0); ++k) store(values[k], host, k);
  };
  each(list.first_indices(), kept.first_indices, [](auto& v, auto const& a, auto k) { v.first = a(k); });
  each(list.unwrapped_images(), kept.unwrapped_images, [](auto& v, auto const& a, auto k) {
    for (std::size_t d = 0; d < 3; ++d) v.unwrapped[d] = a(k, d);
  });
  each(list.displacements(), kept.displacements, [](auto& v, auto const& a, auto k) {
    for (std::size_t d = 0; d < 3; ++d) v.displacement[d] = bits_of(a(k, d));
  });
  each(list.distances(), kept.distances, [](auto& v, auto const& a, auto k) { v.distance = bits_of(a(k)); });
  bool const any = kept.first_indices || kept.unwrapped_images || kept.displacements || kept.distances;
  if (!any) values.clear();
  return values;
}

template <class Real>
host_list to_host_list(list_type<Real> const& list, bool hashed, build_settings const& kept) {
  auto const offsets = to_host(list.offsets());
  auto const index = to_host(list.neighbors());
  EXPECT_EQ(list.pair_images().given(), kept.pair_images);
  std::vector<upsweep::image> images(list.pairs(), upsweep::image(0, 0, 0));
  if (kept.pair_images) images = to_host(list.pair_images().view());
  host_list result{neighbor_rows(list.rows()), list.pairs(), list.largest_row(),
                   hashed && kept.pair_images ? list.hash() : 0, values_of(list, kept)};
  for (std::size_t i = 0; i < list.rows(); ++i)
    for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
      result.rows[i].emplace_back(index[k], images[k].x(), images[k].y(), images[k].z());
  return result;
}

/// The list that tests build again and again, until Kokkos ends.
template <class Real>
list_type<Real>& kept_list() {
  static std::optional<list_type<Real>> list;
  if (!list) {
    list.emplace(space{}, upsweep::box<Real>({0, 0, 0}, {1, 1, 1}), Real(1));
    Kokkos::push_finalize_hook([] { list.reset(); });
  }
  return *list;
}

}  // namespace

template <class Real>
host_list build_list(points<Real> const& x, cell_box<Real> const& box, Real cutoff, pair_rules const& rules,
                     build_settings const& settings) {
  return build_list(x, to_box(box), cutoff, rules, settings);
}

template <class Real>
host_list build_list(points<Real> const& x, upsweep::box<Real> const& box, Real cutoff, pair_rules const& rules,
                     build_settings const& settings) {
  device_rules const device(rules, settings);
  std::optional<list_type<Real>> own;
  if (!settings.rebuild) own.emplace(space{}, box, cutoff, device.options);
  auto& list = settings.rebuild ? kept_list<Real>() : *own;
  if (settings.rebuild) list.set(box, cutoff, device.options);
  if (rules.queries < 0) {
    list.update(space{}, to_positions(x));
  } else {
    auto const middle = x.begin() + static_cast<std::ptrdiff_t>(rules.queries);
    points<Real> const queries(x.begin(), middle), others(middle, x.end());
    list.update(space{}, to_positions(queries), to_positions(others));
  }
  return to_host_list(list, rules.queries < 0 && (rules.images.empty() || !rules.ids.empty()), settings);
}

namespace {

/// One visit counts the pairs of each row, another stores them as they come. Without atomics: a row has one thread.
struct count_visits {
  Kokkos::View<int*, memory> counts;
  KOKKOS_FUNCTION void operator()(int i, int) const { ++counts(i); }
};
struct store_visits {
  Kokkos::View<int*, memory> left;  ///< of each row
  Kokkos::View<std::size_t*, memory> ends;
  Kokkos::View<int*, memory> neighbors;
  Kokkos::View<upsweep::image*, memory> images;
  KOKKOS_FUNCTION void operator()(int i, int j, upsweep::image shift) const {
    if (left(i)-- <= 0) return;  // more pairs than were counted: `left` ends below 0
    std::size_t const at = ends(i) - static_cast<std::size_t>(left(i)) - 1;
    neighbors(at) = j;
    images(at) = shift;
  }
};

}  // namespace

template <class Real>
neighbor_rows visited_rows(list_problem<Real> const& p, upsweep::neighbor_builder builder) {
  device_rules const device(p.rules, {.builder = builder, .pair_images = false});
  auto const visit = [&](auto const& functor) {
    auto const box = to_box(p.box);
    if (p.rules.queries < 0)
      return upsweep::for_each_pair(space{}, to_positions(p.x), box, p.cutoff, functor, device.options);
    auto const middle = p.x.begin() + static_cast<std::ptrdiff_t>(p.rules.queries);
    points<Real> const queries(p.x.begin(), middle), others(middle, p.x.end());
    upsweep::for_each_pair(space{}, to_positions(queries), to_positions(others), box, p.cutoff, functor,
                           device.options);
  };
  std::int64_t const wanted = p.rules.queries >= 0 ? p.rules.queries : p.rules.rows;
  std::size_t const rows = wanted < 0 ? p.x.size() : static_cast<std::size_t>(wanted);
  Kokkos::View<int*, memory> const counts("counts", rows);
  visit(count_visits{counts});
  auto const host_counts = to_host(counts);
  std::vector<std::size_t> ends;
  std::size_t pairs = 0;
  for (int const c : host_counts) ends.push_back(pairs += static_cast<std::size_t>(c));
  store_visits const store{counts, to_device(ends), Kokkos::View<int*, memory>("neighbors", pairs),
                           Kokkos::View<upsweep::image*, memory>("images", pairs)};
  visit(store);
  for (int const left : to_host(counts)) EXPECT_EQ(left, 0) << "the two visits have other pairs";
  auto const index = to_host(store.neighbors);
  auto const images = to_host(store.images);
  neighbor_rows result(rows);
  for (std::size_t i = 0, k = 0; i < rows; ++i)
    for (; k < ends[i]; ++k) result[i].emplace_back(index[k], images[k].x(), images[k].y(), images[k].z());
  return result;
}

template neighbor_rows visited_rows(list_problem<double> const&, upsweep::neighbor_builder);
template neighbor_rows visited_rows(list_problem<float> const&, upsweep::neighbor_builder);
template host_list build_list(points<double> const&, cell_box<double> const&, double, pair_rules const&,
                              build_settings const&);
template host_list build_list(points<float> const&, cell_box<float> const&, float, pair_rules const&,
                              build_settings const&);
template host_list build_list(points<double> const&, upsweep::box<double> const&, double, pair_rules const&,
                              build_settings const&);
template host_list build_list(points<float> const&, upsweep::box<float> const&, float, pair_rules const&,
                              build_settings const&);

}  // namespace oracle
