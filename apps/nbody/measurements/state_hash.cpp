// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "state_hash.hpp"

#include "../../support/splitmix.hpp"

#include <upsweep/mpi/reduce.hpp>
#include <upsweep/scan/reduce.hpp>

namespace nbody {
namespace {

struct hash_of_particle {
  vectors positions, velocities;
  id_view ids;

  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t i) const {
    std::uint64_t hash = apps::splitmix(static_cast<std::uint64_t>(ids(i)));
    for (int d = 0; d < 3; ++d) {
      hash = apps::splitmix(hash ^ Kokkos::bit_cast<std::uint64_t>(positions(i, d)));
      hash = apps::splitmix(hash ^ Kokkos::bit_cast<std::uint64_t>(velocities(i, d)));
    }
    return hash;
  }
};

}  // namespace

std::uint64_t state_hash(upsweep::mpi::communicator const& comm, space_type const& space, atoms const& a) {
  return upsweep::mpi::reduce(
      comm,
      [&] {
        return upsweep::reduce(space, a.size(), hash_of_particle{a.positions, a.velocities, a.ids},
                               upsweep::plus<std::uint64_t>{}, {.label = "upsweep-nbody"});
      },
      upsweep::plus<std::uint64_t>{});
}

}  // namespace nbody
