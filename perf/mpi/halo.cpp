// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "particles.hpp"

#include <upsweep/mpi/halo.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace perf::ranks {
namespace {

/// Cutoff and skin of the Lennard-Jones liquid, and its density.
constexpr double reach = 2.8, density = 0.8442;

/// A ghost's coordinates are those that its id's owner gave it.
struct count_wrong {
  positions_view positions;
  ids_view ids;
  mpi::domain<double> parts;
  std::uint64_t n;
  std::size_t owned;
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::uint64_t& wrong) const {
    auto const i = owned + static_cast<std::size_t>(k);
    auto const id = static_cast<std::uint64_t>(ids(i));
    auto const ranks = static_cast<std::uint64_t>(parts.size());
    std::uint64_t owner = 0;
    while (owner + 1 < ranks && id >= n / ranks * (owner + 1) + n % ranks * (owner + 1) / ranks) ++owner;
    auto const brick = parts.brick(static_cast<int>(owner));
    for (int d = 0; d < 3; ++d)
      if (positions(i, d) != place_particles::place(brick, id, d)) ++wrong;
  }
};

void run(benchmark::State& state, mpi::communicator const& comm, std::size_t n, bool builds) {
  space const instance;
  double const length = std::cbrt(static_cast<double>(n) / density);
  mpi::domain<double> const parts(comm, upsweep::box<double>({0, 0, 0}, {length, length, length}));
  std::size_t const first = begin_of_share(n, comm.rank(), comm.size());
  std::size_t const own = begin_of_share(n, comm.rank() + 1, comm.size()) - first;
  auto const owned = make_view<positions_view>(instance, "positions", own);
  auto const owned_ids = make_view<ids_view>(instance, "ids", own);
  for_each_index(instance, own, place_particles{owned, owned_ids, parts.brick(comm.rank()), first});
  mpi::halo<space, double> halo;
  halo.build(comm, instance, parts, owned, reach);
  std::size_t const all = halo.owned() + halo.ghosts();
  auto const positions = make_view<positions_view>(instance, "positions", all);
  auto const ids = make_view<ids_view>(instance, "ids", all);
  for_each_index(instance, own, place_particles{positions, ids, parts.brick(comm.rank()), first});
  auto const right = [&] {
    halo.exchange(instance, ids);
    halo.exchange(instance, positions);
    return halo.owned() + halo.ghosts() == all && halo.ghosts() > 0 &&
           sum_of(instance, halo.ghosts(), count_wrong{positions, ids, parts, n, own}) == 0;
  };
  auto const call = [&] {
    if (builds) halo.build(comm, instance, parts, owned, reach);
    else halo.exchange(instance, positions);
  };
  double const ghosts = static_cast<double>(sum_of_ranks(comm, halo.ghosts()));
  time_on_ranks(state, comm, instance, 1, 24 * (builds ? static_cast<double>(n) : 2 * ghosts), [] {}, call, right);
}

}  // namespace

void add_halos(session const& s) {
  for (bool const builds : {true, false}) {
    char const* const operation = builds ? "halo_build" : "halo_exchange";
    if (!wanted(s, operation)) continue;
    auto const call = [builds](benchmark::State& state, mpi::communicator const& comm, std::size_t n) {
      run(state, comm, n, builds);
    };
    for (std::size_t const n : s.sizes) {
      // Small boxes are mostly ghosts.
      double const bytes = 250.0 * static_cast<double>(n) + 1e6;
      if (s.all.size() > 1 && has_memory(s, on_all_ranks(s), operation, n, bytes / s.all.size()))
        add_on_all(s, on_all_ranks(s), operation, "double", n, call);
      if (has_memory(s, on_one_rank, operation, n, bytes)) add_on_first(s, on_one_rank, operation, "double", n, call);
    }
  }
}

}  // namespace perf::ranks
