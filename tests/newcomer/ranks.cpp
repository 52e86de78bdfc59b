// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The same across ranks, by somebody who has read docs/mpi.md: a scan, a selection, a sort, and particles that move
// from rank to rank with the list of their neighbours.

#include <gtest/gtest.h>
#include <mpi.h>
#include <upsweep/mpi.hpp>
#include <upsweep/upsweep.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

namespace {

namespace mpi = upsweep::mpi;
using space_type = Kokkos::DefaultExecutionSpace;

constexpr std::size_t n = 2000;

/// This rank has the elements first ... last - 1 of all.
struct share {
  std::size_t first, last;
  explicit share(mpi::communicator const& comm)
      : first(n * static_cast<std::size_t>(comm.rank()) / static_cast<std::size_t>(comm.size())),
        last(n * static_cast<std::size_t>(comm.rank() + 1) / static_cast<std::size_t>(comm.size())) {}
};

std::vector<long> numbers() {
  std::vector<long> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = static_cast<long>(i * 7919 % 1009);
  return result;
}
Kokkos::View<long*> my_numbers(share const& mine) {
  auto const all = numbers();
  Kokkos::View<long*> const result("numbers", mine.last - mine.first);
  Kokkos::deep_copy(result, Kokkos::View<long const*, Kokkos::HostSpace>(all.data() + mine.first, result.extent(0)));
  return result;
}
std::vector<long> to_host(Kokkos::View<long*> view, std::size_t count) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<long>(host.data(), host.data() + count);
}
std::vector<long> part(std::vector<long> const& all, std::size_t first, std::size_t count) {
  auto const begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return std::vector<long>(begin, begin + static_cast<std::ptrdiff_t>(count));
}

struct is_small {
  KOKKOS_FUNCTION bool operator()(long x) const { return x < 100; }
};

}  // namespace

TEST(newcomer_on_ranks, scan) {
  mpi::communicator const comm(MPI_COMM_WORLD);
  space_type const space;
  share const mine(comm);
  auto const in = my_numbers(mine);
  Kokkos::View<long*> const out("out", in.extent(0));
  long total = 0;
  mpi::exclusive_scan(comm, space, in, out, upsweep::into{total});

  auto const all = numbers();
  std::vector<long> expected(n);
  std::exclusive_scan(all.begin(), all.end(), expected.begin(), 0L);
  EXPECT_EQ(to_host(out, out.extent(0)), part(expected, mine.first, out.extent(0)));
  EXPECT_EQ(total, std::accumulate(all.begin(), all.end(), 0L));
}

TEST(newcomer_on_ranks, compaction) {
  mpi::communicator const comm(MPI_COMM_WORLD);
  space_type const space;
  auto const in = my_numbers(share(comm));
  Kokkos::View<long*> const out("out", in.extent(0));
  auto const found = mpi::compact(comm, space, in, out, is_small{});

  auto const all = numbers();
  std::vector<long> expected;
  std::copy_if(all.begin(), all.end(), std::back_inserter(expected), is_small{});
  EXPECT_EQ(found.total, expected.size());
  EXPECT_EQ(to_host(out, found.count), part(expected, found.offset, found.count));
}

TEST(newcomer_on_ranks, sort) {
  mpi::communicator const comm(MPI_COMM_WORLD);
  space_type const space;
  auto keys = my_numbers(share(comm));
  auto const place = mpi::sort(comm, space, keys);

  auto expected = numbers();
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(place.total, n);
  EXPECT_EQ(to_host(keys, keys.extent(0)), part(expected, place.offset, keys.extent(0)));
}

namespace {

constexpr double length = 12, cutoff = 1.5, dt = 0.4;

using view = Kokkos::View<double* [3]>;
using point = std::array<double, 3>;

point place_of(std::size_t id) {
  double const i = static_cast<double>(id);
  return {std::fmod(i * 7.548776662, length), std::fmod(i * 5.698402910, length), std::fmod(i * 2.366025404, length)};
}
point velocity_of(std::size_t id) {
  double const i = static_cast<double>(id);
  return {std::sin(i), std::cos(3 * i), std::sin(7 * i)};
}

/// x += v dt.
void move(space_type const& space, view const& x, view const& v) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<space_type>(space, 0, x.extent(0)), KOKKOS_LAMBDA(std::size_t i) {
        for (int d = 0; d < 3; ++d) x(i, d) += dt * v(i, d);
      });
}

/// The ids of the particles within the cutoff of one, in ascending order, by a loop over all.
std::vector<std::int64_t> neighbors_by_loop(std::vector<point> const& x, std::size_t i) {
  std::vector<std::int64_t> result;
  for (std::size_t j = 0; j < n; ++j) {
    double r2 = 0;
    for (std::size_t d = 0; d < 3; ++d) r2 += std::pow(std::remainder(x[j][d] - x[i][d], length), 2);
    if (j != i && r2 <= cutoff * cutoff) result.push_back(static_cast<std::int64_t>(j));
  }
  return result;
}

}  // namespace

TEST(newcomer_on_ranks, particles) {
  mpi::communicator const comm(MPI_COMM_WORLD);
  space_type const space;
  upsweep::box<double> const box({0, 0, 0}, {length, length, length});
  mpi::domain<double> const parts(comm, box);
  mpi::halo<space_type, double> halo;

  share const mine(comm);
  view x("x", mine.last - mine.first), v("v", mine.last - mine.first);
  Kokkos::View<std::int64_t*> ids("ids", mine.last - mine.first);
  auto const first_x = Kokkos::create_mirror_view(x), first_v = Kokkos::create_mirror_view(v);
  auto const first_ids = Kokkos::create_mirror_view(ids);
  for (std::size_t i = 0; i < ids.extent(0); ++i) {
    std::size_t const id = mine.first + i;
    first_ids(i) = static_cast<std::int64_t>(id);
    for (std::size_t d = 0; d < 3; ++d) {
      first_x(i, d) = place_of(id)[d];
      first_v(i, d) = velocity_of(id)[d];
    }
  }
  Kokkos::deep_copy(x, first_x);
  Kokkos::deep_copy(v, first_v);
  Kokkos::deep_copy(ids, first_ids);
  std::vector<point> everywhere(n);
  for (std::size_t id = 0; id < n; ++id) everywhere[id] = place_of(id);

  for (int step = 0; step < 4; ++step) {
    // Each particle to its owner, then copies of those near the borders, and the list of the owned ones.
    mpi::migrate(comm, space, parts, x, v, ids);
    halo.build(comm, space, parts, x, cutoff);
    std::size_t const owned = halo.owned();
    Kokkos::resize(x, owned + halo.ghosts());
    Kokkos::resize(ids, owned + halo.ghosts());
    halo.exchange(space, x);
    halo.exchange(space, ids);
    upsweep::neighbor_list const list(space, x, box, cutoff, {.rows = owned, .ids = ids, .images = halo.images()});

    EXPECT_EQ(mpi::reduce(comm, std::uint64_t(owned)), n) << step;
    auto const offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list.offsets());
    auto const neighbors = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list.neighbors());
    auto const id_of = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), ids);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < owned; ++i) {
      std::vector<std::int64_t> found;
      for (std::size_t k = offsets(i); k < offsets(i + 1); ++k) found.push_back(id_of(neighbors(k)));
      std::sort(found.begin(), found.end());
      if (found != neighbors_by_loop(everywhere, static_cast<std::size_t>(id_of(i)))) ++wrong;
    }
    EXPECT_EQ(wrong, 0u) << step;

    Kokkos::resize(x, owned);
    Kokkos::resize(ids, owned);
    move(space, x, v);
    space.fence();
    for (std::size_t id = 0; id < n; ++id)
      for (std::size_t d = 0; d < 3; ++d) everywhere[id][d] += dt * velocity_of(id)[d];
  }
}
