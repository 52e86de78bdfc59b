// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Ghosts as LAMMPS, miniMD and ExaMiniMD have them: copies of particles behind the borders, shifted by an edge of the
// periodic box, behind the particles in the same arrays. The list's box is open, and lists are full or half, with
// newton off and on.

#include "example.hpp"

#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

using space_type = Kokkos::DefaultExecutionSpace;
using vectors = Kokkos::View<double* [3], Kokkos::LayoutRight>;

constexpr int particles = 1000;
constexpr double length = 10, cutoff = 1.5;

/// A soft push: the force on a particle from a neighbour at a distance vector.
struct push {
  vectors x;
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(std::int64_t i, int j) const {
    double way[3], r2 = 0;
    for (int d = 0; d < 3; ++d) {
      way[d] = x(j, d) - x(i, d);
      r2 += way[d] * way[d];
    }
    double const f = 1 - cutoff / std::sqrt(r2);
    return {f * way[0], f * way[1], f * way[2]};
  }
};

/// Forces of a list: a full one has each pair of particles in both rows, a half one adds to the neighbour, too, as far
/// as that is one of the first `owned` particles.
vectors forces_of(space_type const& space, upsweep::neighbor_rows<> const& rows, vectors const& x, int owned) {
  vectors const f("forces", x.extent(0));
  push const force{x};
  Kokkos::parallel_for(
      Kokkos::RangePolicy<space_type>(space, 0, particles), KOKKOS_LAMBDA(int i) {
        upsweep::for_each_neighbor(rows, i, [&](int j) {
          auto const on_i = force(i, j);
          for (int d = 0; d < 3; ++d) {
            Kokkos::atomic_add(&f(i, d), on_i[d]);
            if (j < owned) Kokkos::atomic_add(&f(j, d), -on_i[d]);
          }
        });
      });
  space.fence();
  return f;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  space_type const space;

  // A crooked lattice in a periodic cube, and a ghost for each image of a particle within the cutoff of the cube.
  // Ghosts have the tags of their owners, which here are on the same rank.
  std::vector<double> places;
  std::vector<std::int32_t> owners;
  auto const add = [&](std::int32_t tag, double const(&p)[3]) {
    owners.push_back(tag);
    places.insert(places.end(), p, p + 3);
  };
  for (int i = 0; i < particles; ++i) {
    int const cell[3] = {i % 10, i / 10 % 10, i / 100};
    double p[3];
    for (int d = 0; d < 3; ++d) p[d] = cell[d] + 0.5 + 0.3 * std::sin(7.0 * i + d);
    add(i, p);
  }
  for (int i = 0; i < particles; ++i)
    for (int image = 0; image < 27; ++image) {
      double const shift[3] = {length * (image % 3 - 1), length * (image / 3 % 3 - 1), length * (image / 9 - 1)};
      double p[3];
      bool near = image != 13;
      for (int d = 0; d < 3; ++d) {
        p[d] = places[3 * static_cast<std::size_t>(i) + static_cast<std::size_t>(d)] + shift[d];
        near = near && p[d] >= -cutoff && p[d] <= length + cutoff;
      }
      if (near) add(i, p);
    }
  int const all = static_cast<int>(owners.size());
  std::printf("%d particles, %d ghosts\n", particles, all - particles);
  auto const tag = example::to_device(owners);
  vectors const x("x", owners.size());
  auto const host_x = Kokkos::create_mirror_view(x);
  for (int i = 0; i < all; ++i)
    for (int d = 0; d < 3; ++d) host_x(i, d) = places[3 * static_cast<std::size_t>(i) + static_cast<std::size_t>(d)];
  Kokkos::deep_copy(x, host_x);

  // Open in all directions, as large as the particles and their ghosts need: nothing is wrapped, and the list adds no
  // images of its own. The first `particles` have rows.
  double const lo = -cutoff, hi = length + cutoff;
  upsweep::box<double> const open({lo, lo, lo}, {hi, hi, hi}, {false, false, false});

  upsweep::neighbor_list const full(space, x, open, cutoff, {.rows = particles});
  auto const expected = forces_of(space, full.view(), x, 0);
  std::printf("full: %zu pairs\n", full.pairs());
  upsweep::neighbor_list const periodic(space, Kokkos::subview(x, Kokkos::make_pair(0, particles), Kokkos::ALL),
                                        upsweep::box<double>({0, 0, 0}, {length, length, length}), cutoff);
  example::confirm("the list of the periodic box has as many", periodic.pairs() == full.pairs());

  // Newton off: a pair of two particles is in one row, a pair with a ghost in the row of the particle. Forces on ghosts
  // are left to their owners, so nothing is sent back, and no tags are needed.
  upsweep::neighbor_list const off(space, x, open, cutoff, {.half = true, .newton = false, .rows = particles});
  auto const found_off = forces_of(space, off.view(), x, particles);
  std::printf("half, newton off: %zu pairs\n", off.pairs());

  // Newton on: a pair with a ghost is in one row, too, of the particle or of the ghost's owner, as tags say. Forces on
  // ghosts are collected and sent back to their owners.
  upsweep::neighbor_list const on(space, x, open, cutoff, {.half = true, .rows = particles, .ids = tag});
  auto const found_on = forces_of(space, on.view(), x, all);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<space_type>(space, particles, all), KOKKOS_LAMBDA(int ghost) {
        for (int d = 0; d < 3; ++d) Kokkos::atomic_add(&found_on(tag(ghost), d), found_on(ghost, d));
      });
  space.fence();
  std::printf("half, newton on: %zu pairs\n", on.pairs());
  example::confirm("newton on has half of the full list's pairs", 2 * on.pairs() == full.pairs());

  auto const largest_difference = [&](vectors const& found) {
    auto const a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected);
    auto const b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
    double largest = 0;
    for (int i = 0; i < particles; ++i)
      for (int d = 0; d < 3; ++d) largest = std::max(largest, std::abs(a(i, d) - b(i, d)));
    return largest;
  };
  example::confirm("forces with newton off are those of the full list", largest_difference(found_off) < 1e-12);
  example::confirm("forces with newton on are those of the full list", largest_difference(found_on) < 1e-12);
  return example::exit_code();
}
