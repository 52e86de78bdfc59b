// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "testing.hpp"

#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/messages/transfer_cache.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace testing_mpi {

/// A communicator that believes that MPI cannot have this memory: the way through the host, tested on every machine.
inline upsweep::mpi::communicator staged_communicator() {
  upsweep::mpi::communicator comm(MPI_COMM_WORLD);
  upsweep::mpi::detail::access::transfers(comm).known[memory_space::name()] = {upsweep::mpi::detail::way::staged,
                                                                               "staged for a test"};
  return comm;
}

/// Rows in Views of all kinds: packed and by columns, with columns known to the compiler or not, of several types.
struct mixed_rows {
  using by_rows = Kokkos::View<double**, Kokkos::LayoutRight, memory_space>;
  using by_columns = Kokkos::View<float**, Kokkos::LayoutLeft, memory_space>;
  using fixed_columns = Kokkos::View<short* [5], Kokkos::LayoutLeft, memory_space>;

  positions_view positions{"positions", 0};
  by_columns columns{"columns", 0, 3};
  view<char> marks{"marks", 0};
  fixed_columns shorts{"shorts", 0};
  view<std::int64_t> ids{"ids", 0};
  by_rows pairs{"pairs", 0, 2};

  explicit mixed_rows(std::vector<std::int64_t> const& which)
      : positions("positions", which.size()),
        columns("columns", which.size(), 3),
        marks("marks", which.size()),
        shorts("shorts", which.size()),
        ids(to_view(which)),
        pairs("pairs", which.size(), 2) {
    fill();
  }

  /// Not in the constructor: nvcc takes no lambda there.
  void fill() const {
    auto const of = ids;
    auto const all = *this;
    Kokkos::parallel_for(
        "fill", Kokkos::RangePolicy<space_type>(0, ids.extent(0)), KOKKOS_LAMBDA(std::size_t i) {
          auto const id = of(i);
          for (int d = 0; d < 3; ++d) all.positions(i, d) = static_cast<double>(id * 3 + d);
          for (int d = 0; d < 3; ++d) all.columns(i, d) = static_cast<float>(id % 1000 + d);
          all.marks(i) = static_cast<char>(id % 100);
          for (int d = 0; d < 5; ++d) all.shorts(i, d) = static_cast<short>(id % 3000 + d);
          for (int d = 0; d < 2; ++d) all.pairs(i, d) = static_cast<double>(id) + 0.25 * d;
        });
    Kokkos::fence();
  }

  /// How many elements are not those of the row's id, or how many rows are missing.
  std::size_t wrong(std::vector<std::int64_t> const& expected) const {
    std::size_t const n = expected.size();
    if (ids.extent(0) != n || to_vector(ids) != expected) return n + 1;
    for (std::size_t const rows :
         {positions.extent(0), columns.extent(0), marks.extent(0), shorts.extent(0), pairs.extent(0)})
      if (rows != n) return n + 1;
    mixed_rows const all(expected), mine = *this;
    std::size_t found = 0;
    Kokkos::parallel_reduce(
        "compare", Kokkos::RangePolicy<space_type>(0, n),
        KOKKOS_LAMBDA(std::size_t i, std::size_t& sum) {
          for (int d = 0; d < 3; ++d) sum += mine.positions(i, d) != all.positions(i, d);
          for (int d = 0; d < 3; ++d) sum += mine.columns(i, d) != all.columns(i, d);
          sum += mine.marks(i) != all.marks(i);
          for (int d = 0; d < 5; ++d) sum += mine.shorts(i, d) != all.shorts(i, d);
          for (int d = 0; d < 2; ++d) sum += mine.pairs(i, d) != all.pairs(i, d);
        },
        found);
    return found;
  }
};

/// Which row goes where, known to all ranks: row i of rank r, ids in order, goes to destination(r, i).
template <class Destination>
std::vector<std::int64_t> arrivals(std::vector<std::vector<std::int64_t>> const& held, int rank,
                                   Destination const& destination) {
  std::vector<std::int64_t> result;
  for (std::size_t r = 0; r < held.size(); ++r)
    for (std::size_t i = 0; i < held[r].size(); ++i)
      if (destination(static_cast<int>(r), held[r][i]) == rank) result.push_back(held[r][i]);
  return result;
}

}  // namespace testing_mpi
