// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "measure.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/reduce.hpp>

#include <array>
#include <vector>

namespace perf::ranks {
namespace {

constexpr int batch = 1000;

/// The same bytes by MPI alone: what a call has to beat that only agrees and exchanges.
template <std::size_t Bytes>
void gather(benchmark::State& state, mpi::communicator const& comm, std::size_t) {
  std::array<std::byte, Bytes> record{};
  record[0] = std::byte(comm.rank() + 1);
  std::vector<std::byte> all(Bytes * static_cast<std::size_t>(comm.size()));
  auto const call = [&] {
    mpi::check(comm, MPI_Allgather(record.data(), Bytes, MPI_BYTE, all.data(), Bytes, MPI_BYTE, comm.get()),
               "MPI_Allgather");
  };
  auto const right = [&] {
    for (std::size_t r = 0; r * Bytes < all.size(); ++r)
      if (all[r * Bytes] != std::byte(r + 1)) return false;
    return true;
  };
  time_on_ranks(state, comm, space(), batch, static_cast<double>(all.size()), [] {}, call, right);
}

void reduce(benchmark::State& state, mpi::communicator const& comm, std::size_t) {
  double sum = 0;
  time_on_ranks(
      state, comm, space(), batch, static_cast<double>(mpi::detail::record_bytes) * comm.size(), [] {},
      [&] { sum = mpi::reduce(comm, comm.rank() + 1.0, upsweep::plus<double>{}); },
      [&] { return sum == comm.size() * (comm.size() + 1.0) / 2; });
}

void offset(benchmark::State& state, mpi::communicator const& comm, std::size_t) {
  mpi::rank_offset found{};
  time_on_ranks(
      state, comm, space(), batch, 8.0 * comm.size(), [] {}, [&] { found = mpi::exclusive_offset(comm, 3); },
      [&] {
        return found.offset == 3 * static_cast<std::uint64_t>(comm.rank()) &&
               found.total == 3 * static_cast<std::uint64_t>(comm.size());
      });
}

}  // namespace

void add_states(session const& s) {
  auto const n = static_cast<std::size_t>(s.all.size());
  if (wanted(s, "reduce_of_states")) {
    add_on_all(s, on_all_ranks(s), "reduce_of_states", "double", n, reduce);
    add_on_all(s, by_mpi, "reduce_of_states", "double", n, gather<mpi::detail::record_bytes>);
  }
  if (wanted(s, "exclusive_offset")) {
    add_on_all(s, on_all_ranks(s), "exclusive_offset", "uint64", n, offset);
    add_on_all(s, by_mpi, "exclusive_offset", "uint64", n, gather<sizeof(std::uint64_t)>);
  }
}

}  // namespace perf::ranks
