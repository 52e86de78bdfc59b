// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
// Molecular dynamics of a Lennard-Jones liquid in a periodic box. The neighbour list reaches a skin farther than the
// forces, and is made again once particles have moved through it. 04_molecular_dynamics [cells along an edge]

#include "example.hpp"

#include <upsweep/upsweep.hpp>

#include <Kokkos_Random.hpp>

using positions = Kokkos::View<double* [4], Kokkos::LayoutRight>;  // the fourth is padding: a row is one vector
using force_and_energy = Kokkos::Array<double, 4>;
constexpr double cutoff = 2.5, skin = 0.3, dt = 0.005, energy_at_cutoff = -0.016316891136;

/// What a neighbour, or several at once, adds to the force on particle i and to its energy.
struct lennard_jones {
  static constexpr bool takes_lanes = true;
  positions x;
  double length;  // at least 2 (cutoff + skin): only the nearest image of a particle is near enough
  KOKKOS_FUNCTION auto load(std::size_t, auto const& j) const { return upsweep::gather_positions(x, j); }
  template <class J, class Position, class Sum>
  KOKKOS_FUNCTION void operator()(std::size_t i, J const&, Position const& other, Sum& sum) const {
    using real = typename Sum::value_type;  // double, or several
    real way[3], r2{};
    for (int d = 0; d < 3; ++d) {
      real const w = x(i, d) - other[d];
      way[d] = w > 0.5 * length ? w - length : w < -0.5 * length ? w + length : w;
      r2 += way[d] * way[d];
    }
    real const s2 = 1.0 / r2, s6 = s2 * s2 * s2;
    real const f = r2 <= cutoff * cutoff ? 48.0 * s6 * (s6 - 0.5) * s2 : real{};
    for (int d = 0; d < 3; ++d) sum[d] += way[d] * f;
    sum[3] += r2 <= cutoff * cutoff ? 2.0 * s6 * (s6 - 1.0) - 0.5 * energy_at_cutoff : real{};  // half of the pair's
  }
};

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DefaultExecutionSpace const space;
  int const cells = argc > 1 ? std::atoi(argv[1]) : 6, n = 4 * cells * cells * cells;
  if (cells < 4) return example::refuse("cells along an edge: expected 4 or more, for a box of twice cutoff and skin");
  double const edge = Kokkos::cbrt(4 / 0.8442), length = cells * edge;
  upsweep::box<double> const box({0, 0, 0}, {length, length, length});
  positions const rows("x", n), v("v", n);  // velocities are half a step behind (leapfrog)
  auto const x = Kokkos::subview(rows, Kokkos::ALL, Kokkos::make_pair(0, 3));
  Kokkos::View<double* [3]> const x_at_build("x at build", n);
  Kokkos::parallel_for(
      "crystal", n, KOKKOS_LAMBDA(int i) {  // fcc; it melts
        int const cell[3] = {i / 4 % cells, i / 4 / cells % cells, i / 4 / cells / cells};
        for (int d = 0; d < 3; ++d) x(i, d) = edge * (cell[d] + (i % 4 == 0 || i % 4 == d + 1 ? 0.0 : 0.5));
      });
  Kokkos::fill_random(v, Kokkos::Random_XorShift64_Pool<>(1), -2.08, 2.08);  // temperature 1.44
  Kokkos::View<force_and_energy*> const f("forces and energies", n);
  upsweep::neighbor_list list(space, box, cutoff + skin);
  upsweep::workspace workspace(space);
  double first = 0, largest_change = 0;
  for (int step = 0; step <= 1000; ++step) {
    if (step == 0 || upsweep::needs_rebuild(space, upsweep::now{x, box}, upsweep::at_build{x_at_build, box}, cutoff,
                                            skin, {.workspace = &workspace})) {
      upsweep::wrap_positions(space, x, box);
      list.update(space, x);
      Kokkos::deep_copy(space, x_at_build, x);
    }
    upsweep::reduce_rows<force_and_energy>(
        space, list, lennard_jones{rows, length}, KOKKOS_LAMBDA(std::size_t i, force_and_energy const& sum) {
          f(i) = sum;
          for (int d = 0; d < 3; ++d) f(i)[3] += 0.5 * (v(i, d) + 0.5 * dt * sum[d]) * (v(i, d) + 0.5 * dt * sum[d]);
        });
    auto const energy = upsweep::reduce<double>(space, n, KOKKOS_LAMBDA(std::size_t i) { return f(i)[3]; });
    if (step == 0) first = energy;
    largest_change = Kokkos::max(largest_change, Kokkos::abs(energy / first - 1));
    Kokkos::parallel_for(
        "move", n, KOKKOS_LAMBDA(int i) {
          for (int d = 0; d < 3; ++d) x(i, d) += dt * (v(i, d) += dt * f(i)[d]);
        });
  }
  example::confirm("the energy stays the same to 1e-3 over 1,000 steps", largest_change < 1e-3);
  return example::exit_code();
}
