// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../oracle/views.hpp"

#include <gtest/gtest.h>
#include <upsweep/mpi/communicator.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace testing_mpi {

using space_type = Kokkos::DefaultExecutionSpace;
using memory_space = space_type::memory_space;
template <class T>
using view = Kokkos::View<T*, memory_space>;
using positions_view = Kokkos::View<double* [3], Kokkos::LayoutRight, memory_space>;

inline upsweep::mpi::communicator const& world() {
  // Lives until the program ends, after MPI_Finalize, which the class allows.
  static upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
  return comm;
}

template <class T>
view<T> to_view(std::vector<T> const& values) {
  return oracle::to_device(values);
}
template <class View>
auto to_vector(View const& v) {
  return oracle::to_host(v);
}

struct point {
  double x[3];
};
inline positions_view to_positions(std::vector<point> const& points) {
  positions_view result(Kokkos::view_alloc(Kokkos::WithoutInitializing, "positions"), points.size());
  oracle::copy_to_device(result.data(), points.data(), points.size() * sizeof(point));
  return result;
}
template <class View>
std::vector<point> to_points(View const& v) {
  oracle::host_copy const host(v);
  std::vector<point> result(v.extent(0));
  for (std::size_t i = 0; i < result.size(); ++i)
    for (int d = 0; d < 3; ++d) result[i].x[d] = host(i, d);
  return result;
}

/// The vectors of all ranks, one behind the other, on every rank.
template <class T>
std::vector<T> gathered(upsweep::mpi::communicator const& comm, std::vector<T> const& mine) {
  int const bytes = static_cast<int>(mine.size() * sizeof(T));
  std::vector<int> counts(static_cast<std::size_t>(comm.size())), starts(counts.size() + 1, 0);
  MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, comm.get());
  for (std::size_t r = 0; r < counts.size(); ++r) starts[r + 1] = starts[r] + counts[r];
  std::vector<T> all(static_cast<std::size_t>(starts.back()) / sizeof(T));
  MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), starts.data(), MPI_BYTE, comm.get());
  return all;
}

/// splitmix64: the same numbers on every machine.
struct random_numbers {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
};

/// Runs f, which must throw Exception on this rank, and returns the message.
template <class Exception, class F>
std::string message_of(F const& f) {
  try {
    f();
  } catch (Exception const& e) {
    return e.what();
  } catch (std::exception const& e) {
    ADD_FAILURE() << "another exception: " << e.what();
    return {};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace testing_mpi
