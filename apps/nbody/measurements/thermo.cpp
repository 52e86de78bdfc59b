// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "thermo.hpp"

#include "../../support/sum_of.hpp"

#include <upsweep/mpi/reduce.hpp>
#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/neighbor_lanes.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <type_traits>

namespace nbody {
namespace {

/// Sums over particles: each pair's energy and virial once, and m v^2.
struct sums {
  double potential, virial, twice_kinetic;
  KOKKOS_FUNCTION friend sums operator+(sums const& a, sums const& b) {
    return {a.potential + b.potential, a.virial + b.virial, a.twice_kinetic + b.twice_kinetic};
  }
};

/// Energy and virial of one pair.
struct plain_pair {
  lennard_jones pair;
  KOKKOS_FUNCTION void operator()(neighbor_positions const&, std::size_t, int, double r2,
                                  Kokkos::Array<double, 2>& sum) const {
    if (!(r2 <= pair.cutoff2)) return;
    double const r2_inverse = 1.0 / r2;
    sum[0] += lennard_jones::energy(r2_inverse) - pair.shift;
    sum[1] += lennard_jones::force_over_r(r2_inverse) * r2;
  }
};

template <class Law>
struct pair_of_table {
  pair_table table;
  KOKKOS_FUNCTION void operator()(neighbor_positions const& positions, std::size_t i, int j, double r2,
                                  Kokkos::Array<double, 2>& sum) const {
    int const row = table.row(positions, i, j);
    auto const number = [&](int column) { return table.of_energies(row, column); };
    if (!(r2 <= number(0))) return;
    double const scaled = r2 * number(1);
    sum[0] += number(2) * Law::energy(scaled) - number(3);
    sum[1] += table.of_forces(row, 2) * Law::force_over_r(scaled) * r2;
  }
};

template <class Pair>
struct sums_of_particle {
  upsweep::neighbor_rows<> rows;
  neighbor_positions positions;
  vectors velocities;
  scalars masses;
  Pair pair;
  double share;  ///< of a pair's energy that a neighbour in a row adds: a full list meets each pair from both sides

  KOKKOS_FUNCTION sums operator()(std::size_t i) const {
    auto const own = positions.of(i);
    Kokkos::Array<double, 2> both;
    upsweep::reduce_neighbors(
        rows, i,
        [&](int j, Kokkos::Array<double, 2>& sum) {
          auto const other = positions.of(j);
          double const dx = own[0] - other[0], dy = own[1] - other[1], dz = own[2] - other[2];
          pair(positions, i, j, dx * dx + dy * dy + dz * dz, sum);
        },
        both);
    double v2 = 0;
    for (int d = 0; d < 3; ++d) v2 += velocities(i, d) * velocities(i, d);
    return {share * both[0], share * both[1], masses(i) * v2};
  }
};

}  // namespace

thermo_row measure(upsweep::mpi::communicator const& comm, space_type const& space, upsweep::workspace& workspace,
                   atoms const& a, neighborhood const& near, interaction const& pair, std::int64_t n, double volume,
                   std::int64_t step) {
  auto const of_rank = [&](auto const& one) {
    return upsweep::reduce(space, a.size(),
                           sums_of_particle<std::decay_t<decltype(one)>>{near.rows(), near.positions(), a.velocities,
                                                                         a.masses, one, near.is_half() ? 1.0 : 0.5},
                           apps::sum_of<sums>{}, {.workspace = &workspace, .label = "upsweep-nbody"});
  };
  // In the order of ranks; MPI_SUM may associate as it likes.
  sums const all = upsweep::mpi::reduce(
      comm,
      [&] {
        if (!pair.table) return of_rank(plain_pair{pair.plain});
        return with_law(*pair.table, [&](auto law) { return of_rank(pair_of_table<decltype(law)>{*pair.table}); });
      },
      apps::sum_of<sums>{});
  auto const count = static_cast<double>(n);
  double const freedom = 3 * count - 3;
  thermo_row row;
  row.step = step;
  row.temperature = freedom > 0 ? all.twice_kinetic / freedom : 0.0;
  row.potential = all.potential / count;
  row.kinetic = 0.5 * all.twice_kinetic / count;
  row.total = row.potential + row.kinetic;
  row.pressure = (all.twice_kinetic + all.virial) / (3 * volume);
  return row;
}

}  // namespace nbody
