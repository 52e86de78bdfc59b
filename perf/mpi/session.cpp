// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "session.hpp"

#include "../measure.hpp"
#include "../names.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace perf::ranks {
namespace {

/// A barrier whose waiting ranks sleep: the rank they wait for may need their processor.
void wait_without_work(mpi::communicator const& comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(comm, MPI_Ibarrier(comm.get(), &request), "MPI_Ibarrier");
  for (int done = 0; done == 0; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
    mpi::check(comm, MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
}

}  // namespace

std::string on_all_ranks(session const& s) { return fmt::format("upsweep_{}_ranks", s.all.size()); }

void add_on_all(session const& s, std::string const& impl, std::string const& operation, std::string const& type,
                std::size_t n, body const& run) {
  add(key("mpi", impl, operation, type, n), s.measurements,
      [&all = s.all, n, run](benchmark::State& state) { run(state, all, n); });
}

void add_on_first(session const& s, std::string const& impl, std::string const& operation, std::string const& type,
                  std::size_t n, body const& run) {
  add(key("mpi", impl, operation, type, n), s.measurements,
      [&all = s.all, &alone = s.alone, n, run](benchmark::State& state) {
        if (all.rank() == 0) run(state, alone, n);
        else
          for (auto _ : state) state.SetIterationTime(1e-9);
        wait_without_work(all);
      });
}

bool has_memory(session const& s, std::string const& impl, std::string const& operation, std::size_t n, double bytes) {
  double const mine = 0.9 * static_cast<double>(free_memory()) / (on_host ? s.all.size() : 1);
  double least = 0;
  mpi::check(s.all, MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, s.all.get()), "MPI_Allreduce");
  if (bytes <= least) return true;
  if (s.all.rank() == 0)
    fmt::print("{} {} of {}: left out, it takes {:.1f} GB a rank of {:.1f}\n", impl, operation, n, bytes * 1e-9,
               least * 1e-9);
  return false;
}

bool wanted(session const& s, std::string const& operation) { return chosen(s.operations, operation); }

std::vector<std::string> operations() {
  return {"exclusive_scan", "sort",          "sort_by_key",         "reduce_of_states", "exclusive_offset", "migration",
          "halo_build",     "halo_exchange", "redistribute_evenly", "allreduce",        "alltoall"};
}

}  // namespace perf::ranks
