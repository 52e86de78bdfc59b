// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Molecules from a LAMMPS data file: a list with a cutoff for each pair of types, without the pairs that bonds join,
// that keeps displacements D and distances d. Loops read these by the number of the pair and need no positions and no
// box. 25_bonded_molecules [file [atom style]]

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/io/lammps_data.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>
#include <upsweep/neighbors/special_neighbors.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string_view>

constexpr char const* example_file = EXAMPLE_DATA "/butane.data";

/// Lennard-Jones parameters of CH3 and CH2 (TraPPE), energies in kelvin, lengths in angstrom.
struct pair_table {
  double epsilon[2][2] = {{98, 67.1}, {67.1, 46}}, sigma[2][2] = {{3.75, 3.85}, {3.85, 3.95}};

  KOKKOS_FUNCTION double energy(int a, int b, double d) const {
    double const s3 = std::pow(sigma[a][b] / d, 3), s6 = s3 * s3;
    return 4 * epsilon[a][b] * s6 * (s6 - 1);
  }
  KOKKOS_FUNCTION double force(int a, int b, double d) const {
    double const s3 = std::pow(sigma[a][b] / d, 3), s6 = s3 * s3;
    return 48 * epsilon[a][b] * s6 * (s6 - 0.5) / d;
  }
};

void run(char const* file, char const* atom_style) {
  Kokkos::DefaultExecutionSpace const space;
  auto const data = upsweep::read_lammps_data(file, {.atom_style = atom_style});  // "": the file names its style
  std::size_t const n = data.size();
  auto const& [xy, xz, yz] = data.tilt;
  auto const box = upsweep::box<double>::triclinic({data.lo[0], data.lo[1], data.lo[2]},
                                                   {data.hi[0], data.hi[1], data.hi[2]}, {xy, xz, yz});
  auto const coordinates = example::to_device(data.positions);
  Kokkos::View<double const* [3], Kokkos::LayoutRight, Kokkos::MemoryUnmanaged> const x(coordinates.data(), n);
  auto const types = example::to_device(data.types);  // LAMMPS counts from 1, the library from 0
  Kokkos::parallel_for("types", n, KOKKOS_LAMBDA(std::size_t i) { --types(i); });
  pair_table const table;
  Kokkos::View<double[2][2]> const cutoffs("cutoffs");
  Kokkos::parallel_for("cutoffs", 4, KOKKOS_LAMBDA(int k) { cutoffs(k / 2, k % 2) = 1.4 * table.sigma[k / 2][k % 2]; });

  // Pairs that up to three bonds join are left out: the chain has a force of its own for them.
  auto const joined = example::to_device(data.bonds);
  Kokkos::View<std::int64_t const* [2], Kokkos::LayoutRight, Kokkos::MemoryUnmanaged> const bonds(
      joined.data(), data.bond_types.size());
  auto const special = upsweep::special_neighbors(space, n, bonds);
  upsweep::neighbor_list const list(space, x, box, 1.4 * 3.95,
                                    {.types = types,
                                     .type_cutoffs = cutoffs,
                                     .displacements = true,
                                     .distances = true,
                                     .exclusions = {special.offsets, special.values}});
  std::printf("%zu atoms, %zu bonds, %zu special neighbours, %zu neighbours\n", n, bonds.extent(0), special.total(),
              list.pairs());

  // Number k is the place of a pair in all arrays of the list. D is the way from i to j, d its length.
  auto const D = list.displacements().view();
  auto const d = list.distances().view();
  using force_and_energy = Kokkos::Array<double, 4>;
  Kokkos::View<force_and_energy*> const sums("forces and energies", n);
  upsweep::reduce_rows<force_and_energy>(
      space, list,
      KOKKOS_LAMBDA(std::size_t i, int j, std::size_t k, force_and_energy& sum) {
        double const f = table.force(types(i), types(j), d(k)) / d(k);
        for (int c = 0; c < 3; ++c) sum[c] -= f * D(k, c);
        sum[3] += 0.5 * table.energy(types(i), types(j), d(k));
      },
      KOKKOS_LAMBDA(std::size_t i, force_and_energy const& sum) { sums(i) = sum; });
  double energy = 0, force[3] = {}, forces = 0;
  for (auto const& sum : upsweep::to_host(space, sums)) {
    energy += sum[3];
    for (int c = 0; c < 3; ++c) {
      force[c] += sum[c];
      forces += std::abs(sum[c]);
    }
  }
  std::printf("energy between molecules: %.6f K\n", energy);
  example::confirm("forces add up to 0",
                   std::abs(force[0]) + std::abs(force[1]) + std::abs(force[2]) <= 1e-12 * forces);

  // In the file of the example, up to three bonds join all atoms of a molecule, so that those of one molecule are no
  // neighbours, and the box is upright.
  if (file != std::string_view(example_file)) return;
  std::size_t pairs = 0;
  double expected = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (data.molecules[i] == data.molecules[j]) continue;
      double r2 = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        double const length = data.hi[c] - data.lo[c], way = data.positions[3 * j + c] - data.positions[3 * i + c];
        r2 += std::pow(way - length * std::round(way / length), 2);
      }
      int const a = data.types[i] - 1, b = data.types[j] - 1;
      if (std::sqrt(r2) > 1.4 * table.sigma[a][b]) continue;
      ++pairs;
      expected += 0.5 * table.energy(a, b, std::sqrt(r2));
    }
  example::confirm("a loop over atoms of different molecules finds as many pairs", pairs == list.pairs());
  example::confirm("and the same energy", std::abs(energy - expected) < 1e-9 * std::abs(expected));
}

int main(int argc, char** argv) try {
  Kokkos::ScopeGuard const guard(argc, argv);
  run(argc > 1 ? argv[1] : example_file, argc > 2 ? argv[2] : "");
  return example::exit_code();
} catch (std::exception const& error) {
  std::fprintf(stderr, "25_bonded_molecules: %s\n", error.what());
  return 2;
}
