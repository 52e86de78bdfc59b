// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Particles on several ranks: each goes to the rank that owns its place, and ranks show each other what is near their
// borders. mpiexec -n 2 08_halo_and_migration

#include "example_mpi.hpp"

#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/mpi/halo.hpp>
#include <upsweep/mpi/migrate.hpp>
#include <upsweep/mpi/reduce.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <cstdint>
#include <cstdio>
#include <random>

namespace mpi = upsweep::mpi;
using space_type = Kokkos::DefaultExecutionSpace;

constexpr int particles = 5000;
constexpr double length = 20, cutoff = 2;

/// Particles first ... last - 1 of all, at random places; particle i has the id i.
void make_particles(int first, int last, Kokkos::View<double* [3]>& x, Kokkos::View<std::int64_t*>& ids) {
  Kokkos::resize(x, last - first);
  Kokkos::resize(ids, last - first);
  auto const host_x = Kokkos::create_mirror_view(x);
  auto const host_ids = Kokkos::create_mirror_view(ids);
  std::mt19937 random(1);
  for (int i = 0; i < last; ++i)
    for (int d = 0; d < 3; ++d) {
      double const at = length * (random() / 4294967296.0);
      if (i >= first) host_x(i - first, d) = at;
    }
  for (int i = first; i < last; ++i) host_ids(i - first) = i;
  Kokkos::deep_copy(x, host_x);
  Kokkos::deep_copy(ids, host_ids);
}

void run() {
  mpi::communicator const comm(MPI_COMM_WORLD);
  space_type const space;
  upsweep::box<double> const box({0, 0, 0}, {length, length, length});
  Kokkos::View<double* [3]> x("x", 0);
  Kokkos::View<std::int64_t*> ids("ids", 0);

  // Every rank begins with a share of the particles, wherever they are, and migration brings them home.
  make_particles(particles * comm.rank() / comm.size(), particles * (comm.rank() + 1) / comm.size(), x, ids);
  mpi::domain<double> const parts(comm, box);
  mpi::migrate(comm, space, parts, x, ids);

  // Ghosts are the particles of others within the cutoff of this rank's brick, and periodic images of its own.
  mpi::halo<space_type, double> halo;
  halo.build(comm, space, parts, x, cutoff);
  Kokkos::resize(x, halo.owned() + halo.ghosts());
  Kokkos::resize(ids, halo.owned() + halo.ghosts());
  halo.exchange(space, x);
  halo.exchange(space, ids);

  // Rows for the owned particles alone. What all ranks have together is what one has of all particles.
  upsweep::neighbor_list const list(space, x, box, cutoff,
                                    {.pair_images = true, .rows = halo.owned(), .ids = ids, .images = halo.images()});
  auto const owned = mpi::reduce(comm, std::uint64_t(halo.owned()));
  auto const pairs = mpi::reduce(comm, std::uint64_t(list.pairs()));
  auto const hash = mpi::reduce(comm, list.hash());
  if (comm.rank() == 0) {
    std::printf("%llu particles with %llu neighbours\n", static_cast<unsigned long long>(owned),
                static_cast<unsigned long long>(pairs));
    Kokkos::View<double* [3]> all("all", 0);
    Kokkos::View<std::int64_t*> all_ids("all_ids", 0);
    make_particles(0, particles, all, all_ids);
    upsweep::neighbor_list const whole(space, all, box, cutoff, {.pair_images = true});
    example::confirm("as many particles as before", owned == particles);
    example::confirm("as many neighbours as on one rank", pairs == whole.pairs());
    example::confirm("the same hash of all pairs", hash == whole.hash());
  }
}

int main(int argc, char** argv) { return example::run_on_ranks(argc, argv, run); }
