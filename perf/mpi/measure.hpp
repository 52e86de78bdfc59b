// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../measure.hpp"
#include "session.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perf::ranks {

/// Times a collective call: the ranks start behind a barrier, each waits for its instance, and the slowest one counts.
/// `before` comes in front of each measurement, outside of it. The first call, which is not timed, is verified: right()
/// says on each rank whether its result is right.
template <class Before, class Call, class Right>
void time_on_ranks(benchmark::State& state, mpi::communicator const& comm, space const& instance, int batch,
                   double bytes, Before const& before, Call const& call, Right const& right) {
  using clock = std::chrono::steady_clock;
  before();
  call();
  instance.fence("upsweep::perf::warm_up");
  int const mine = right() ? 1 : 0;
  int good = 0;
  mpi::check(comm, MPI_Allreduce(&mine, &good, 1, MPI_INT, MPI_MIN, comm.get()), "MPI_Allreduce");
  if (good == 0) return state.SkipWithError("a result is wrong");
  std::vector<double> seconds;
  for (auto _ : state) {
    before();
    instance.fence("upsweep::perf::before");
    mpi::check(comm, MPI_Barrier(comm.get()), "MPI_Barrier");
    auto const begin = clock::now();
    for (int k = 0; k < batch; ++k) call();
    instance.fence("upsweep::perf::call");
    double const own = std::chrono::duration<double>(clock::now() - begin).count();
    double slowest = 0;
    mpi::check(comm, MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm.get()), "MPI_Allreduce");
    seconds.push_back(slowest / batch);
    state.SetIterationTime(seconds.back());
  }
  keep_seconds(state, seconds);
  state.counters["bytes"] = bytes;
}

/// Where the even share of a rank begins, of n.
inline std::size_t begin_of_share(std::size_t n, int rank, int ranks) {
  auto const r = static_cast<std::size_t>(rank), p = static_cast<std::size_t>(ranks);
  return n / p * r + n % p * r / p;
}

/// The finaliser of splitmix64, which makes random numbers of consecutive ones.
KOKKOS_INLINE_FUNCTION std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
/// From 0 up to 1, without 1.
KOKKOS_INLINE_FUNCTION double mix_to_unit(std::uint64_t x) { return static_cast<double>(mix(x) >> 11) * 0x1p-53; }

/// The sum of what the functor adds for the indices 0 ... n - 1; waits.
template <class Functor>
std::uint64_t sum_of(space const& instance, std::size_t n, Functor const& functor) {
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce(
      "upsweep::perf::sum",
      Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(instance, 0, static_cast<std::int64_t>(n)), functor,
      sum);
  return sum;
}
template <class Functor>
void for_each_index(space const& instance, std::size_t n, Functor const& functor) {
  Kokkos::parallel_for(
      "upsweep::perf::fill",
      Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(instance, 0, static_cast<std::int64_t>(n)), functor);
}

/// The sum of all ranks, modulo 2^64.
inline std::uint64_t sum_of_ranks(mpi::communicator const& comm, std::uint64_t mine) {
  std::uint64_t sum = 0;
  mpi::check(comm, MPI_Allreduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, comm.get()), "MPI_Allreduce");
  return sum;
}

/// A View whose elements are not initialised.
template <class View, class... Extents>
View make_view(space const& instance, std::string const& name, Extents... extents) {
  return View(Kokkos::view_alloc(instance, Kokkos::WithoutInitializing, name), extents...);
}

}  // namespace perf::ranks
