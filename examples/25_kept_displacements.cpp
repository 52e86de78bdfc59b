// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A list that keeps displacements and distances of its pairs, and loops that read them by the number of the pair. They
// need no images, no box and no positions.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

constexpr int cells = 4, particles = 4 * cells * cells * cells;
constexpr double edge = 1.6;

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DefaultExecutionSpace const space;

  // A periodic crystal (fcc), of which nobody has wrapped the positions: each particle is some edges off.
  double const length = cells * edge;
  upsweep::box<double> const box({0, 0, 0}, {length, length, length});
  Kokkos::View<double* [3]> const x("x", particles);
  auto const host_x = Kokkos::create_mirror_view(x);
  for (int i = 0; i < particles; ++i) {
    int const cell[3] = {i / 4 % cells, i / 4 / cells % cells, i / 4 / cells / cells};
    for (int d = 0; d < 3; ++d)
      host_x(i, d) = edge * (cell[d] + (i % 4 == 0 || i % 4 == d + 1 ? 0.0 : 0.5)) + length * (i % 5 - 2);
  }
  Kokkos::deep_copy(x, host_x);

  // The nearest neighbours: 12, at edge / sqrt(2).
  upsweep::neighbor_list const list(space, x, box, 0.8 * edge, {.displacements = true, .distances = true});
  example::expect("neighbours of each particle", list.largest_row(), std::size_t(12));

  // Number k is the place of a pair in all arrays of the list. A loop hands it over where the functor takes it.
  auto const D = list.displacements().view();
  auto const d = list.distances().view();
  using tensor = Kokkos::Array<double, 6>;
  Kokkos::View<tensor*> const moments("moments", particles);
  upsweep::reduce_rows<tensor>(
      space, list,
      KOKKOS_LAMBDA(std::size_t, int, std::size_t k, tensor& sum) {
        for (int c = 0; c < 3; ++c) {
          sum[c] += D(k, c) * D(k, c);
          sum[3 + c] += D(k, c) * D(k, (c + 1) % 3);
        }
      },
      KOKKOS_LAMBDA(std::size_t i, tensor const& sum) { moments(i) = sum; });
  Kokkos::View<double*> const energies("energies", particles);
  upsweep::reduce_rows<double>(
      space, list,
      KOKKOS_LAMBDA(std::size_t, int, std::size_t k, double& sum) {
        double const s3 = 1 / (d(k) * d(k) * d(k));
        sum += 2 * (s3 * s3 * s3 * s3 - s3 * s3);
      },
      KOKKOS_LAMBDA(std::size_t i, double sum) { energies(i) = sum; });

  // The neighbours of a cubic crystal lie the same in all directions: 12 squares of distances, a third in each.
  double const r2 = edge * edge / 2, s6 = 1 / (r2 * r2 * r2);
  double largest = 0;
  for (auto const& moment : upsweep::to_host(space, moments))
    for (int c = 0; c < 3; ++c) largest = std::max({largest, std::abs(moment[c] - 4 * r2), std::abs(moment[3 + c])});
  example::confirm("second moments are 4 r^2 in each direction, and 0 between them", largest < 1e-12);
  largest = 0;
  for (double const energy : upsweep::to_host(space, energies))
    largest = std::max(largest, std::abs(energy - 12 * 2 * (s6 * s6 - s6)));
  example::confirm("the energy of Lennard-Jones pairs is that of 12 at one distance", largest < 1e-12);
  return example::exit_code();
}
