// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "thermo.hpp"

#include <upsweep/mpi/agree.hpp>
#include <upsweep/scan/reduce.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

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
  list_rows list;
  double const* positions;
  vectors velocities;
  scalars masses;
  double cutoff2;

  KOKKOS_FUNCTION sums operator()(std::size_t i) const {
    double const* const own = positions + 4 * i;
    double energy = 0, virial = 0;
    for (std::size_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
      double const* const other = positions + 4 * static_cast<std::ptrdiff_t>(list.neighbors[k]);
      double const dx = own[0] - other[0], dy = own[1] - other[1], dz = own[2] - other[2];
      double const r2 = dx * dx + dy * dy + dz * dz;
      if (!(r2 <= cutoff2)) continue;
      double const r2_inverse = 1.0 / r2;
      energy += lennard_jones::energy(r2_inverse);
      virial += lennard_jones::force_over_r(r2_inverse) * r2;
    }
    double v2 = 0;
    for (int d = 0; d < 3; ++d) v2 += velocities(i, d) * velocities(i, d);
    // The list is full: each pair is met from both sides.
    return {0.5 * energy, 0.5 * virial, masses(i) * v2};
  }
};

/// all: room for three numbers a rank.
sums over_ranks(upsweep::mpi::communicator const& comm, sums const& mine, std::vector<double>& all) {
  // In the order of ranks; MPI_SUM may associate as it likes.
  double const send[3] = {mine.potential, mine.virial, mine.twice_kinetic};
  upsweep::mpi::check(comm, MPI_Allgather(send, 3, MPI_DOUBLE, all.data(), 3, MPI_DOUBLE, comm.get()), "MPI_Allgather");
  sums total = add_sums{}.identity();
  for (std::size_t r = 0; r < all.size(); r += 3) total = add_sums{}(total, {all[r], all[r + 1], all[r + 2]});
  return total;
}

}  // namespace

thermo_row measure(upsweep::mpi::communicator const& comm, space_type const& space, upsweep::workspace& workspace,
                   atoms const& a, list_rows const& list, padded_vectors const& positions, lennard_jones const& pair,
                   std::int64_t n, double volume, std::int64_t step) {
  std::vector<double> room;
  sums const mine = upsweep::mpi::all_or_none(comm, [&] {
    room.resize(3 * static_cast<std::size_t>(comm.size()));
    return upsweep::reduce(space, a.size(),
                           sums_of_particle{list, positions.data(), a.velocities, a.masses, pair.cutoff2}, add_sums{},
                           {.workspace = &workspace, .label = "upsweep-nbody"});
  });
  sums const all = over_ranks(comm, mine, room);
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
