// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "thermo.hpp"

#include <upsweep/mpi/reduce.hpp>
#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/neighbor_lanes.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>

namespace nbody {
namespace {

/// Sums over particles: each pair's energy and virial once, and m v^2.
struct sums {
  double potential, virial, twice_kinetic;
};

struct add_sums {
  using value_type = sums;
  KOKKOS_FUNCTION sums identity() const { return {0, 0, 0}; }
  KOKKOS_FUNCTION sums operator()(sums const& a, sums const& b) const {
    return {a.potential + b.potential, a.virial + b.virial, a.twice_kinetic + b.twice_kinetic};
  }
};

struct sums_of_particle {
  upsweep::neighbor_rows<> rows;
  padded_vectors positions;
  vectors velocities;
  scalars masses;
  lennard_jones pair;
  double share;  ///< of a pair's energy that a neighbour in a row adds: a full list meets each pair from both sides

  KOKKOS_FUNCTION sums operator()(std::size_t i) const {
    auto const own = upsweep::gather_positions(positions, i);
    Kokkos::Array<double, 2> both;
    upsweep::reduce_neighbors(
        rows, i,
        [&](int j, Kokkos::Array<double, 2>& sum) {
          auto const other = upsweep::gather_positions(positions, j);
          double const dx = own[0] - other[0], dy = own[1] - other[1], dz = own[2] - other[2];
          double const r2 = dx * dx + dy * dy + dz * dz;
          if (!(r2 <= pair.cutoff2)) return;
          double const r2_inverse = 1.0 / r2;
          sum[0] += lennard_jones::energy(r2_inverse) - pair.shift;
          sum[1] += lennard_jones::force_over_r(r2_inverse) * r2;
        },
        both);
    double v2 = 0;
    for (int d = 0; d < 3; ++d) v2 += velocities(i, d) * velocities(i, d);
    return {share * both[0], share * both[1], masses(i) * v2};
  }
};

}  // namespace

thermo_row measure(upsweep::mpi::communicator const& comm, space_type const& space, upsweep::workspace& workspace,
                   atoms const& a, neighborhood const& near, lennard_jones const& pair, std::int64_t n, double volume,
                   std::int64_t step) {
  // In the order of ranks; MPI_SUM may associate as it likes.
  sums const all = upsweep::mpi::reduce(
      comm,
      [&] {
        return upsweep::reduce(
            space, a.size(),
            sums_of_particle{near.rows(), near.positions(), a.velocities, a.masses, pair, near.is_half() ? 1.0 : 0.5},
            add_sums{}, {.workspace = &workspace, .label = "upsweep-nbody"});
      },
      add_sums{});
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
