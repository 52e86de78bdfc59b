// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/mpi/lammps_data.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

namespace nbody {

/// Hands n rows, of which every rank has an even range, to rank 0 in pieces of `piece_rows` rows (fewer in the last):
/// take(first row, values). Pieces do not depend on the number of ranks, so neither does what rank 0 makes of them.
/// Cost: each row is sent once; memory for one piece on rank 0. A piece must have less than 2^31 bytes.
/// Collective. Throws on all ranks alike what take() threw; rows behind that still travel, and are dropped.
template <class T, class Take>
void gather_rows(upsweep::mpi::communicator const& comm, std::int64_t n, std::int64_t columns, std::span<T const> mine,
                 std::int64_t piece_rows, Take const& take) {
  constexpr int tag = 2;
  using upsweep::mpi::even_range;
  auto const bytes = [&](std::int64_t rows) {
    return static_cast<int>(static_cast<std::size_t>(rows * columns) * sizeof(T));
  };
  auto const range = even_range(n, comm.rank(), comm.size());
  auto piece = upsweep::mpi::all_or_none(comm, [&] {
    return std::vector<T>(comm.rank() == 0 ? static_cast<std::size_t>(std::min(n, piece_rows) * columns) : 0);
  });
  std::exception_ptr failed;
  if (comm.rank() != 0) {
    for (std::int64_t at = range.first, next = at; at < range.last; at = next) {
      next = std::min(range.last, (at / piece_rows + 1) * piece_rows);
      upsweep::mpi::check(
          comm, MPI_Send(mine.data() + (at - range.first) * columns, bytes(next - at), MPI_BYTE, 0, tag, comm.get()),
          "MPI_Send");
    }
  } else {
    int from = 0;
    for (std::int64_t begin = 0; begin < n; begin += piece_rows) {
      std::int64_t const end = std::min(n, begin + piece_rows);
      for (std::int64_t at = begin, next = at; at < end; at = next) {
        while (even_range(n, from, comm.size()).last <= at) ++from;
        next = std::min(end, even_range(n, from, comm.size()).last);
        T* const to = piece.data() + (at - begin) * columns;
        if (from == 0) std::copy_n(mine.data() + at * columns, (next - at) * columns, to);
        else
          upsweep::mpi::check(comm, MPI_Recv(to, bytes(next - at), MPI_BYTE, from, tag, comm.get(), MPI_STATUS_IGNORE),
                              "MPI_Recv");
      }
      if (failed) continue;
      try {
        take(begin, std::span<T const>(piece.data(), static_cast<std::size_t>((end - begin) * columns)));
      } catch (...) {
        failed = std::current_exception();
      }
    }
  }
  upsweep::mpi::all_or_none(comm, [&] {
    if (failed) std::rethrow_exception(failed);
  });
}

}  // namespace nbody
