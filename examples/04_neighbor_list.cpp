// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A neighbour list and a loop of forces over it: Lennard-Jones particles in a periodic box.

#include "example.hpp"

#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>
#include <upsweep/scan/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>

using positions_view = Kokkos::View<double* [3]>;
using force_and_energy = Kokkos::Array<double, 4>;

constexpr int cells = 5, particles = 4 * cells * cells * cells;
constexpr double cutoff = 2.5;

/// What a particle at a distance vector adds to the force and the energy. f(r) = 48 r^-13 - 24 r^-7.
KOKKOS_FUNCTION void add_pair(double const (&way)[3], force_and_energy& sum) {
  double const r2 = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
  double const s6 = 1 / (r2 * r2 * r2);
  for (int d = 0; d < 3; ++d) sum[d] -= way[d] * (48 * s6 * s6 - 24 * s6) / r2;
  sum[3] += 2 * (s6 * s6 - s6);  // half of the pair's energy, since the other particle counts the pair, too
}

Kokkos::View<force_and_energy*> forces_of(positions_view const& x, upsweep::box<double> const& box) {
  Kokkos::DefaultExecutionSpace const space;
  upsweep::neighbor_list const list(space, x, box, cutoff, {.pair_images = true});
  std::printf("%zu neighbours, at most %zu in a row\n", list.pairs(), list.largest_row());

  Kokkos::View<force_and_energy*> const result("forces", particles);
  upsweep::reduce_rows<force_and_energy>(
      space, list.view(),
      KOKKOS_LAMBDA(std::size_t i, int j, upsweep::image s, force_and_energy& sum) {
        auto const shift = box.shift(s);
        double const way[3] = {x(j, 0) - x(i, 0) + shift[0], x(j, 1) - x(i, 1) + shift[1],
                               x(j, 2) - x(i, 2) + shift[2]};
        add_pair(way, sum);
      },
      KOKKOS_LAMBDA(std::size_t i, force_and_energy const& sum) { result(i) = sum; });
  space.fence();
  return result;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DefaultExecutionSpace const space;

  // A crystal (fcc) at the density 0.8442: all forces are 0, and the energy of a particle is the one that LAMMPS prints
  // for its Lennard-Jones benchmark in step 0.
  double const edge = std::cbrt(4 / 0.8442), length = cells * edge;
  upsweep::box<double> const box({0, 0, 0}, {length, length, length});
  positions_view const x("x", particles);
  auto const host_x = Kokkos::create_mirror_view(x);
  for (int i = 0; i < particles; ++i) {
    int const cell[3] = {i / 4 % cells, i / 4 / cells % cells, i / 4 / cells / cells};
    for (int d = 0; d < 3; ++d) host_x(i, d) = edge * (cell[d] + (i % 4 == 0 || i % 4 == d + 1 ? 0.0 : 0.5));
  }
  Kokkos::deep_copy(x, host_x);
  auto const crystal = forces_of(x, box);
  double const energy =
      upsweep::reduce<double>(space, particles, KOKKOS_LAMBDA(std::size_t i) { return crystal(i)[3]; });
  std::printf("energy per particle: %.6f\n", energy / particles);
  example::confirm("that is LAMMPS's -6.773368", std::abs(energy / particles + 6.7733681) < 1e-7);

  // Every particle is moved a little, and the forces are compared with those of two loops over all particles. Images of
  // pairs are those of positions in the box, so particles that leave it come in on its other side.
  for (int i = 0; i < particles; ++i)
    for (int d = 0; d < 3; ++d) host_x(i, d) = box.wrap(host_x(i, d) + 0.1 * std::sin(7.0 * i + d), d);
  Kokkos::deep_copy(x, host_x);
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), forces_of(x, box));
  double difference = 0, largest = 0;
  for (int i = 0; i < particles; ++i) {
    force_and_energy expected{};
    for (int j = 0; j < particles; ++j) {
      double way[3], r2 = 0;
      for (int d = 0; d < 3; ++d) {
        way[d] = host_x(j, d) - host_x(i, d);
        way[d] -= length * std::round(way[d] / length);  // the nearest image
        r2 += way[d] * way[d];
      }
      if (j != i && r2 <= cutoff * cutoff) add_pair(way, expected);
    }
    for (int d = 0; d < 4; ++d) {
      difference = std::max(difference, std::abs(found(i)[d] - expected[d]));
      largest = std::max(largest, std::abs(expected[d]));
    }
  }
  example::confirm("forces of moved particles are those of two loops", difference <= 1e-10 * largest);
  return example::exit_code();
}
