// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Batches of random systems, and the list of each system alone.

#include "../oracle/views.hpp"
#include "lists.hpp"
#include "random_edges.hpp"

#include <upsweep/neighbors/batched_neighbor_list.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

namespace oracle {

template <class Real>
struct one_of_a_batch {
  upsweep::box<Real> box;
  points<Real> x;
};

template <class Real>
using batch_of = std::vector<one_of_a_batch<Real>>;

/// Boxes of all shapes, open and periodic; particles inside, and far outside along periodic directions. One in six is
/// empty, one in six has one particle.
template <class Real>
one_of_a_batch<Real> random_system(edge_generator& random, int most) {
  int const kind = random.pick(0, 5), sparse = random.pick(0, 5);
  auto const n = static_cast<std::size_t>(sparse == 0 ? 0 : sparse == 1 ? 1 : random.pick(2, most));
  if (kind < 2) {
    // Some are too flat for the cutoffs of tests.
    auto const is_flat = [](auto const& box) {
      for (int d = 0; d < 3; ++d)
        if (box.periodic(d) && box.length(d) < Real(0.5)) return true;
      return false;
    };
    auto edges = random.box<Real>(2);
    while (is_flat(edges.library())) edges = random.box<Real>(2);
    one_of_a_batch<Real> made{edges.library(), {}};
    for (std::size_t i = 0; i < n; ++i) {
      std::array<Real, 3> f;
      for (Real& c : f) c = static_cast<Real>(random.real(-1, 2));
      made.x.push_back(edges.at(f));
    }
    return made;
  }
  cell_box<Real> box;
  for (std::size_t d = 0; d < 3; ++d) {
    box.lo[d] = static_cast<Real>(random.real(-5, 5));
    box.hi[d] = box.lo[d] + static_cast<Real>(random.real(1, kind == 3 ? 3 : 9));
    box.periodic[d] = random.pick(0, 2) > 0;
    if (kind == 5) box.tilt[d] = static_cast<Real>(random.real(-2, 2));
    if (kind == 4) box.periodic[d] = false;
  }
  auto x = uniform_points(n, box, static_cast<unsigned>(random.pick(0, 1 << 20)));
  if (kind == 2)  // dense
    for (auto& p : x)
      for (std::size_t d = 0; d < 3; ++d) p[d] = box.lo[d] + (p[d] - box.lo[d]) / 4;
  if (kind == 3)
    for (auto& p : x)
      for (std::size_t d = 0; d < 3; ++d)
        if (box.periodic[d]) p[d] += static_cast<Real>(random.pick(-3, 3)) * (box.hi[d] - box.lo[d]);
  return {to_box(box), x};
}

template <class Real>
batch_of<Real> random_batch(unsigned seed, int systems, int most) {
  edge_generator random(seed);
  batch_of<Real> batch;
  for (int b = 0; b < systems; ++b) batch.push_back(random_system<Real>(random, most));
  return batch;
}

/// What a batch is given as.
template <class Real>
struct batch_arrays {
  std::vector<int> offsets{0};
  std::vector<upsweep::box<Real>> boxes;
  points<Real> x;

  explicit batch_arrays(batch_of<Real> const& batch) {
    for (auto const& system : batch) {
      x.insert(x.end(), system.x.begin(), system.x.end());
      boxes.push_back(system.box);
      offsets.push_back(static_cast<int>(x.size()));
    }
  }
};

/// Options of particles, for all of a batch.
struct batch_rules {
  upsweep::neighbor_options options;  ///< but the Views
  std::vector<std::int64_t> ids;
  std::vector<int> types;
  std::vector<double> radii;
  std::vector<std::vector<std::int64_t>> exclusions;  ///< of each particle; indices into the batch where ids are none
};

/// The rules on the device of the particles from `first` to `end`.
struct placed_batch_rules {
  Kokkos::View<std::int64_t*, memory> ids, excluded;
  Kokkos::View<int*, memory> types;
  Kokkos::View<double**, Kokkos::LayoutRight, memory> type_cutoffs;
  Kokkos::View<double*, memory> radii;
  Kokkos::View<std::size_t*, memory> excluded_offsets;
  upsweep::neighbor_options options;

  placed_batch_rules(batch_rules const& rules, double cutoff, std::size_t first, std::size_t end)
      : options(rules.options) {
    auto const part = [&](auto const& all) {
      auto const at = [&](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
      return to_device(std::vector(at(first), at(end)));
    };
    if (!rules.ids.empty()) options.ids = ids = part(rules.ids);
    if (!rules.radii.empty()) options.radii = radii = part(rules.radii);
    if (!rules.types.empty()) {
      options.types = types = part(rules.types);
      type_cutoffs = decltype(type_cutoffs)("type_cutoffs", 2, 2);
      oracle::host_copy const host(type_cutoffs);
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t b = 0; b < 2; ++b) host(a, b) = cutoff * (1 - 0.2 * static_cast<double>(a + b));
      host.write();
      options.type_cutoffs = type_cutoffs;
    }
    if (!rules.exclusions.empty()) {
      std::vector<std::size_t> offsets{0};
      std::vector<std::int64_t> all;
      for (std::size_t i = first; i < end; ++i) {
        for (auto const id : rules.exclusions[i])
          all.push_back(rules.ids.empty() ? id - static_cast<std::int64_t>(first) : id);
        offsets.push_back(all.size());
      }
      options.exclusions.offsets = excluded_offsets = to_device(offsets);
      options.exclusions.ids = excluded = to_device(all);
    }
  }
};

/// Rows with images, (j, x, y, z) each, what else is kept of pairs, and the two numbers beside them.
struct fetched_rows {
  neighbor_rows rows;
  std::vector<int> first_indices;
  std::vector<std::array<int, 3>> unwrapped;
  std::vector<std::array<double, 4>> ways;  ///< displacement and distance
  std::size_t pairs = 0, largest_row = 0;
  friend bool operator==(fetched_rows const&, fetched_rows const&) = default;
};

template <class View>
auto fetched(View const& all) {
  return oracle::host_copy(all);
}

/// Pre: the list has images of pairs, or an image of none is asked for.
template <class List>
fetched_rows rows_of(List const& list) {
  auto const offsets = to_host(list.offsets());
  auto const index = to_host(list.neighbors());
  std::vector<upsweep::image> images(list.pairs(), upsweep::image(0, 0, 0));
  if (list.pair_images().given()) images = to_host(list.pair_images().view());
  fetched_rows result;
  result.rows.resize(list.rows());
  result.pairs = list.pairs();
  result.largest_row = list.largest_row();
  for (std::size_t i = 0; i < list.rows(); ++i)
    for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
      auto const s = images[k];
      result.rows[i].emplace_back(index[k], s.x(), s.y(), s.z());
    }
  if (!list.distances().given()) return result;
  result.first_indices = to_host(list.first_indices().view());
  auto const unwrapped = fetched(list.unwrapped_images().view());
  auto const ways = fetched(list.displacements().view());
  auto const distances = to_host(list.distances().view());
  for (std::size_t k = 0; k < list.pairs(); ++k) {
    result.unwrapped.push_back({unwrapped(k, 0), unwrapped(k, 1), unwrapped(k, 2)});
    result.ways.push_back({double(ways(k, 0)), double(ways(k, 1)), double(ways(k, 2)), double(distances[k])});
  }
  return result;
}

template <class Real>
fetched_rows batched_rows(batch_arrays<Real> const& batch, Real cutoff, batch_rules const& rules) {
  placed_batch_rules const placed(rules, double(cutoff), 0, batch.x.size());
  upsweep::batched_neighbor_list const list(space{}, to_positions(batch.x), to_device(batch.offsets), batch.boxes,
                                            cutoff, placed.options);
  return rows_of(list);
}

/// The same of a list that is built again, of these systems after others: it has memory.
template <class Real>
fetched_rows updated_rows(batch_arrays<Real> const& batch, Real cutoff, batch_rules const& rules) {
  placed_batch_rules const placed(rules, double(cutoff), 0, batch.x.size());
  auto const x = to_positions(batch.x);
  auto const offsets = to_device(batch.offsets);
  upsweep::batched_neighbor_list list(space{}, x, offsets, batch.boxes, cutoff, placed.options);
  list.update(space{}, x);
  list.update(space{}, x, offsets, batch.boxes);
  list.update(space{}, x);
  return rows_of(list);
}

/// The lists of the systems alone, with the numbers that their particles have in the batch.
template <class Real>
fetched_rows rows_alone(batch_arrays<Real> const& batch, Real cutoff, batch_rules const& rules) {
  fetched_rows all;
  for (std::size_t b = 0; b < batch.boxes.size(); ++b) {
    auto const first = static_cast<std::size_t>(batch.offsets[b]), end = static_cast<std::size_t>(batch.offsets[b + 1]);
    placed_batch_rules const placed(rules, double(cutoff), first, end);
    points<Real> const x(batch.x.begin() + static_cast<std::ptrdiff_t>(first),
                         batch.x.begin() + static_cast<std::ptrdiff_t>(end));
    auto alone =
        rows_of(upsweep::neighbor_list<space, Real>(space{}, to_positions(x), batch.boxes[b], cutoff, placed.options));
    for (auto& row : alone.rows) {
      for (auto& each : row) std::get<0>(each) += static_cast<int>(first);
      all.rows.push_back(row);
    }
    for (int const i : alone.first_indices) all.first_indices.push_back(i + static_cast<int>(first));
    all.unwrapped.insert(all.unwrapped.end(), alone.unwrapped.begin(), alone.unwrapped.end());
    all.ways.insert(all.ways.end(), alone.ways.begin(), alone.ways.end());
    all.pairs += alone.pairs;
    all.largest_row = std::max(all.largest_row, alone.largest_row);
  }
  return all;
}

}  // namespace oracle
