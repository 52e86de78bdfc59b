// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "measure.hpp"

#include <upsweep/mpi/redistribute_evenly.hpp>

namespace perf::ranks {
namespace {

using rows_view = Kokkos::View<double* [8], Kokkos::LayoutRight, memory>;
constexpr double row_bytes = 64;

struct fill_rows {
  rows_view rows;
  std::uint64_t first;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const i = static_cast<std::size_t>(k);
    for (int c = 0; c < 8; ++c) rows(i, c) = static_cast<double>(first + i) + 0.125 * c;
  }
};
struct count_wrong {
  rows_view rows;
  std::uint64_t first;
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::uint64_t& wrong) const {
    auto const i = static_cast<std::size_t>(k);
    for (int c = 0; c < 8; ++c)
      if (rows(i, c) != static_cast<double>(first + i) + 0.125 * c) ++wrong;
  }
};

/// Where the rows of a rank begin before: the first has half as many as its share, the last has the rest.
std::size_t begin_before(std::size_t n, int rank, int ranks) {
  std::size_t const even = begin_of_share(n, rank, ranks);
  return rank == 0 || rank == ranks ? even : even - begin_of_share(n, 1, ranks) / 2;
}

void run(benchmark::State& state, mpi::communicator const& comm, std::size_t n) {
  space const instance;
  std::size_t const before = begin_before(n, comm.rank(), comm.size());
  std::size_t const had = begin_before(n, comm.rank() + 1, comm.size()) - before;
  auto const uneven = make_view<rows_view>(instance, "rows", had);
  for_each_index(instance, had, fill_rows{uneven, before});
  auto rows = uneven;
  mpi::rank_offset share{};
  double const moved = row_bytes * static_cast<double>(begin_of_share(n, 1, comm.size()) / 2) * (comm.size() - 1);
  time_on_ranks(
      state, comm, instance, 1, moved, [&] { rows = uneven; },
      [&] { share = mpi::redistribute_evenly(comm, instance, rows); },
      [&] {
        return share.offset == begin_of_share(n, comm.rank(), comm.size()) && share.total == n &&
               rows.extent(0) == begin_of_share(n, comm.rank() + 1, comm.size()) - share.offset &&
               sum_of(instance, rows.extent(0), count_wrong{rows, share.offset}) == 0;
      });
}

}  // namespace

void add_redistributions(session const& s) {
  static constexpr char const* operation = "redistribute_evenly";
  if (!wanted(s, operation)) return;
  for (std::size_t const n : s.sizes) {
    double const bytes = row_bytes * static_cast<double>(n);
    if (s.all.size() > 1 && has_memory(s, on_all_ranks(s), operation, n, 4 * bytes / s.all.size()))
      add_on_all(s, on_all_ranks(s), operation, "row64", n, run);
    if (has_memory(s, on_one_rank, operation, n, bytes)) add_on_first(s, on_one_rank, operation, "row64", n, run);
  }
}

}  // namespace perf::ranks
