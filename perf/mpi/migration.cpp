// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "particles.hpp"

#include <upsweep/mpi/migration.hpp>

namespace perf::ranks {
namespace {

/// With three coordinates and an id: 64 bytes of a particle.
using rest_view = Kokkos::View<double* [4], Kokkos::LayoutRight, memory>;
constexpr double row_bytes = 64;
constexpr std::uint64_t one_in = 100;

struct fill_rest {
  rest_view rest;
  ids_view ids;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const i = static_cast<std::size_t>(k);
    for (int c = 0; c < 4; ++c) rest(i, c) = static_cast<double>(ids(i)) + 0.25 * c;
  }
};
/// One particle in a hundred moves into the next brick along x.
struct leave {
  positions_view positions;
  ids_view ids;
  double width;
  std::uint64_t step;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const i = static_cast<std::size_t>(k);
    if (mix(static_cast<std::uint64_t>(ids(i)) ^ step << 40) % one_in == 0) positions(i, 0) += width;
  }
};
struct count_wrong {
  positions_view positions;
  ids_view ids;
  rest_view rest;
  mpi::brick<double> brick;
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::uint64_t& wrong) const {
    auto const i = static_cast<std::size_t>(k);
    for (int d = 0; d < 3; ++d)
      if (!(positions(i, d) >= brick.lo[d] && positions(i, d) < brick.hi[d])) ++wrong;
    for (int c = 0; c < 4; ++c)
      if (rest(i, c) != static_cast<double>(ids(i)) + 0.25 * c) ++wrong;
  }
};
struct add_ids {
  ids_view ids;
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::uint64_t& sum) const {
    sum += mix(static_cast<std::uint64_t>(ids(static_cast<std::size_t>(k))));
  }
};

void run(benchmark::State& state, mpi::communicator const& comm, std::size_t n) {
  space const instance;
  mpi::domain<double> const parts(comm, upsweep::box<double>({0, 0, 0}, {1, 1, 1}), {comm.size(), 1, 1});
  auto const brick = parts.brick(comm.rank());
  std::size_t const first = begin_of_share(n, comm.rank(), comm.size());
  std::size_t const own = begin_of_share(n, comm.rank() + 1, comm.size()) - first;
  auto positions = make_view<positions_view>(instance, "positions", own);
  auto ids = make_view<ids_view>(instance, "ids", own);
  auto rest = make_view<rest_view>(instance, "rest", own);
  for_each_index(instance, own, place_particles{positions, ids, brick, first});
  for_each_index(instance, own, fill_rest{rest, ids});
  auto const sum = [&] { return sum_of_ranks(comm, sum_of(instance, ids.extent(0), add_ids{ids})); };
  std::uint64_t const all = sum();
  mpi::migration<space> migration;
  std::uint64_t step = 0;
  time_on_ranks(
      state, comm, instance, 1, row_bytes / static_cast<double>(one_in) * static_cast<double>(n),
      [&] { for_each_index(instance, ids.extent(0), leave{positions, ids, 1.0 / comm.size(), ++step}); },
      [&] { migration.run(comm, instance, parts, positions, ids, rest); },
      [&] { return sum() == all && sum_of(instance, ids.extent(0), count_wrong{positions, ids, rest, brick}) == 0; });
}

}  // namespace

void add_migrations(session const& s) {
  static constexpr char const* operation = "migration";
  if (!wanted(s, operation)) return;
  for (std::size_t const n : s.sizes) {
    double const bytes = 2.5 * row_bytes * static_cast<double>(n);
    if (s.all.size() > 1 && has_memory(s, on_all_ranks(s), operation, n, bytes / s.all.size()))
      add_on_all(s, on_all_ranks(s), operation, "row64", n, run);
    if (has_memory(s, on_one_rank, operation, n, bytes)) add_on_first(s, on_one_rank, operation, "row64", n, run);
  }
}

}  // namespace perf::ranks
