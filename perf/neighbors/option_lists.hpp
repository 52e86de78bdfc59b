// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Our lists with one option each, beside the full list of the same particles: what an option costs. ijS, Dd and ijSDd
// are what ASE calls them: first indices, neighbours, unwrapped images, displacements and distances.

#include "ghosts.hpp"
#include "implementation.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace perf::neighbors {

/// Particles, and what options say of them. Half of the pairs of types have a shorter cutoff; radii are between four
/// fifths of half the cutoff and all of it; each particle is bonded to one other. Discs of a power law, as granular
/// packings have, cover a plane.
template <class Real>
struct list_case {
  positions<Real> x, points;  ///< points: of the second set, where there is one
  upsweep::box<Real> box;
  Real longest = static_cast<Real>(cutoff);
  upsweep::neighbor_options options;
  Kokkos::View<int*, memory> types;
  Kokkos::View<double**, Kokkos::LayoutRight, memory> type_cutoffs;
  Kokkos::View<double*, memory> radii;
  Kokkos::View<std::size_t*, memory> bond_offsets;
  Kokkos::View<std::int64_t*, memory> bonds, ids;
  Kokkos::View<upsweep::image*, memory> images;

  explicit list_case(particles<Real> const& p) : x(p.x), box(p.box) {}
};

struct fill_types {
  int* types;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { types[i] = static_cast<int>(splitmix64(i) % 3); }
};
struct fill_type_cutoffs {
  double* cutoffs;
  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    cutoffs[k] = cutoff * (1 - 0.02 * static_cast<double>(k / 3 + k % 3));
  }
};
struct fill_radii {
  double* radii;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    radii[i] = cutoff / 2 * (0.8 + 0.2 * static_cast<double>(splitmix64(i) % 1024) / 1024);
  }
};
/// Discs of which r^-2.1 are larger than r, up to 164 times the smallest: 9 times its square on average.
template <class Real>
struct fill_discs {
  static constexpr double exponent = 2.1, widest = 164;

  positions<Real> from, to;
  double* radii;
  double smallest;

  static double smallest_of(std::size_t n, double length) {
    return length / std::sqrt(9 * 3.14159265358979323846 * static_cast<double>(n));
  }
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    for (int d = 0; d < 3; ++d) to(i, d) = d < 2 ? from(i, d) : Real(0);
    double const ratio = Kokkos::pow(1 - random(i + 0xd15cull), -1 / exponent);
    radii[i] = smallest * (ratio < widest ? ratio : widest);
  }
};
struct fill_bonds {
  std::size_t* offsets;
  std::int64_t* bonds;
  std::size_t n;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    offsets[i] = i;
    if (i < n) bonds[i] = static_cast<std::int64_t>(i ^ 1);
  }
};

/// Owners' coordinates and the images of ghosts, as a code with ghosts of its own gives them.
template <class Real>
struct fill_ghosts {
  positions<Real> from, to;
  upsweep::image* images;
  std::int64_t* ids;
  ghost const* ghosts;
  std::size_t n;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    bool const own = i < n;
    std::size_t const owner = own ? i : static_cast<std::size_t>(ghosts[i - n].owner);
    ids[i] = static_cast<std::int64_t>(owner);
    images[i] = own ? upsweep::image(0, 0, 0)
                    : upsweep::image(ghosts[i - n].shift[0], ghosts[i - n].shift[1], ghosts[i - n].shift[2]);
    for (int d = 0; d < 3; ++d) to(i, d) = from(owner, d);
  }
};

template <class Real>
struct shift_points {
  positions<Real> from, to;
  upsweep::box<Real> box;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    auto const last = from.extent(0) - 1;
    for (int d = 0; d < 3; ++d) to(i, d) = box.wrap(from(last - i, d) + Real(0.37) * static_cast<Real>(cutoff), d);
  }
};

enum class option {
  half,
  images,
  ijS,
  Dd,
  ijSDd,
  types,
  radii,
  exclusions,
  sorted,
  max_neighbors,
  ghosts,
  two_sets,
  power_law
};

template <class Real>
std::shared_ptr<list_case<Real> const> make_case(space const& instance, particles<Real> const& p, option which) {
  auto const made = std::make_shared<list_case<Real>>(p);
  auto& c = *made;
  auto& o = c.options;
  std::size_t const n = p.n();
  auto const fill = [&](std::size_t size, auto const& kernel) {
    Kokkos::parallel_for("upsweep::perf::option", range(instance, size), kernel);
  };
  switch (which) {
    case option::half: o.half = true; break;
    case option::images: o.pair_images = true; break;
    case option::Dd: o.displacements = o.distances = true; break;
    case option::ijSDd: o.displacements = o.distances = true; [[fallthrough]];
    case option::ijS: o.first_indices = o.unwrapped_images = true; break;
    case option::sorted: o.order = upsweep::row_order::sorted; break;
    case option::max_neighbors: o.max_neighbors = 32; break;
    case option::types:
      c.types = Kokkos::View<int*, memory>("upsweep::perf::types", n);
      c.type_cutoffs = decltype(c.type_cutoffs)("upsweep::perf::type_cutoffs", 3, 3);
      fill(n, fill_types{c.types.data()});
      fill(9, fill_type_cutoffs{c.type_cutoffs.data()});
      o.types = c.types;
      o.type_cutoffs = c.type_cutoffs;
      break;
    case option::radii:
      c.radii = Kokkos::View<double*, memory>("upsweep::perf::radii", n);
      fill(n, fill_radii{c.radii.data()});
      o.radii = c.radii;
      break;
    case option::exclusions:
      c.bond_offsets = Kokkos::View<std::size_t*, memory>("upsweep::perf::bond_offsets", n + 1);
      c.bonds = Kokkos::View<std::int64_t*, memory>("upsweep::perf::bonds", n);
      fill(n + 1, fill_bonds{c.bond_offsets.data(), c.bonds.data(), n});
      o.exclusions = {.offsets = c.bond_offsets, .ids = c.bonds};
      break;
    case option::ghosts: {
      auto const ghosts =
          upsweep::pack_lists<ghost>(instance, n, make_ghosts<Real>{p.x, p.box, static_cast<Real>(cutoff * 1.001)})
              .values;
      std::size_t const all = n + ghosts.extent(0);
      c.x = positions<Real>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::with_ghosts"), all);
      c.images = Kokkos::View<upsweep::image*, memory>("upsweep::perf::images", all);
      c.ids = Kokkos::View<std::int64_t*, memory>("upsweep::perf::ids", all);
      fill(all, fill_ghosts<Real>{p.x, c.x, c.images.data(), c.ids.data(), ghosts.data(), n});
      instance.fence("upsweep::perf::option");  // the ghosts are read
      o.rows = n;
      o.ids = c.ids;
      o.images = c.images;
      break;
    }
    case option::two_sets:
      c.points = positions<Real>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::points"), n);
      fill(n, shift_points<Real>{p.x, c.points, p.box});
      break;
    case option::power_law: {
      using discs = fill_discs<Real>;
      double const length = double(p.box.length(0)), smallest = discs::smallest_of(n, length);
      c.x = positions<Real>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::discs"), n);
      c.radii = Kokkos::View<double*, memory>("upsweep::perf::radii", n);
      fill(n, discs{p.x, c.x, c.radii.data(), smallest});
      c.box = upsweep::box<Real>({0, 0, 0}, {p.box.length(0), p.box.length(1), 1}, {true, true, false});
      c.longest = static_cast<Real>(2 * discs::widest * smallest);
      o.radii = c.radii;
      break;
    }
  }
  instance.fence("upsweep::perf::option");
  return made;
}

/// What a list keeps of pairs, as words.
template <class Real>
std::vector<prepared::words> values_of(upsweep::neighbor_list<space, Real> const& list) {
  std::vector<prepared::words> all;
  auto const add = [&](auto const& values) {
    if (!values.given()) return;
    std::size_t const words = values.view().span() * sizeof(*values.data()) / sizeof(std::uint32_t);
    all.emplace_back(reinterpret_cast<std::uint32_t const*>(values.data()), words);
  };
  add(list.pair_images());
  add(list.first_indices());
  add(list.unwrapped_images());
  add(list.displacements());
  add(list.distances());
  return all;
}

template <class Real>
prepared prepare_case(space const& instance, particles<Real> const& p, option which,
                      upsweep::neighbor_builder builder) {
  using list = upsweep::neighbor_list<space, Real>;
  auto const made = make_case(instance, p, which);
  auto options = made->options;
  options.builder = builder;
  auto const kept = std::make_shared<list>(instance, made->box, made->longest, options);
  return {[=] {
            if (made->points.extent(0) > 0) kept->update(instance, made->x, made->points);
            else kept->update(instance, made->x);
          },
          [=] { return kept->pairs(); }, [=] { return kept->last_plan().bytes(); },
          [=] { return rows{kept->offsets(), kept->neighbors()}; }, [=] { return values_of(*kept); }};
}

/// Each is compared with what the plain builder makes with the same option.
template <class Real>
std::vector<implementation<Real>> lists_with_options() {
  struct named {
    char const* name;
    option which;
  };
  std::vector<implementation<Real>> all;
  for (named const& each :
       {named{"upsweep_half", option::half}, named{"upsweep_images", option::images}, named{"upsweep_ijS", option::ijS},
        named{"upsweep_Dd", option::Dd}, named{"upsweep_ijSDd", option::ijSDd}, named{"upsweep_types", option::types},
        named{"upsweep_radii", option::radii}, named{"upsweep_exclusions", option::exclusions},
        named{"upsweep_row_order_sorted", option::sorted}, named{"upsweep_max_neighbors_32", option::max_neighbors},
        named{"upsweep_ghosts", option::ghosts}, named{"upsweep_two_sets", option::two_sets},
        named{"upsweep_power_law", option::power_law}}) {
    auto const prepare_with = [which = each.which](upsweep::neighbor_builder builder) {
      return [=](space const& instance, particles<Real> const& p) { return prepare_case(instance, p, which, builder); };
    };
    all.push_back({.name = each.name,
                   .exact = true,
                   .prepare = prepare_with(upsweep::neighbor_builder::automatic),
                   .open_only = false,
                   .reference = prepare_with(upsweep::neighbor_builder::plain)});
  }
  return all;
}

}  // namespace perf::neighbors
