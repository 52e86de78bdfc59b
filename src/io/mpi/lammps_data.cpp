// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/io/lammps_data.hpp>
#include <upsweep/io/mpi/lammps_data.hpp>
#include <upsweep/mpi/agree.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>

namespace upsweep::mpi {
namespace {

constexpr int particle_tag = 1;
/// Counts of MPI calls are int; pieces of this many elements stay far below.
constexpr std::size_t largest_piece = std::size_t(1) << 26;

template <class T>
MPI_Datatype type_of() {
  if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
  else if constexpr (std::is_same_v<T, std::int64_t>) return MPI_INT64_T;
  else return MPI_INT32_T;
}

template <class T>
void send(communicator const& comm, std::vector<T> const& values, id_range range, std::int64_t width, int to) {
  T const* at = values.data() + width * range.first;
  auto left = static_cast<std::size_t>(width * (range.last - range.first));
  while (left > 0) {
    std::size_t const n = std::min(left, largest_piece);
    check(MPI_Send(at, static_cast<int>(n), type_of<T>(), to, particle_tag, comm.get()), "MPI_Send");
    at += n;
    left -= n;
  }
}

template <class T>
void receive(communicator const& comm, std::vector<T>& values) {
  T* at = values.data();
  std::size_t left = values.size();
  while (left > 0) {
    std::size_t const n = std::min(left, largest_piece);
    check(MPI_Recv(at, static_cast<int>(n), type_of<T>(), 0, particle_tag, comm.get(), MPI_STATUS_IGNORE), "MPI_Recv");
    at += n;
    left -= n;
  }
}

/// Calls f(member, width) for every per-particle array of the data.
template <class Data, class F>
void for_each_array(Data& data, F&& f) {
  f(data.ids, 1);
  f(data.types, 1);
  f(data.positions, 3);
  f(data.velocities, 3);
  f(data.image_flags, 3);
}

void broadcast(communicator const& comm, double* values, std::size_t n) {
  for (std::size_t at = 0; at < n; at += largest_piece)
    check(MPI_Bcast(values + at, static_cast<int>(std::min(n - at, largest_piece)), MPI_DOUBLE, 0, comm.get()), "MPI_Bcast");
}

}  // namespace

id_range even_range(std::int64_t n, int rank, int size) {
  // rank * n may pass 64 bits; quotient and remainder of n by size do not.
  auto const border = [&](std::int64_t r) { return n / size * r + n % size * r / size; };
  return {border(rank), border(rank + 1)};
}

particle_piece scatter_particles(communicator const& comm, particle_data const& whole) {
  std::array<std::int64_t, 2> sizes{static_cast<std::int64_t>(whole.size()), static_cast<std::int64_t>(whole.masses.size())};
  check(MPI_Bcast(sizes.data(), 2, MPI_INT64_T, 0, comm.get()), "MPI_Bcast");
  auto const range = even_range(sizes[0], comm.rank(), comm.size());
  auto piece = all_or_none(comm, [&] {
    particle_piece result;
    result.first = range.first;
    result.total = sizes[0];
    for_each_array(result.data, [&](auto& values, std::int64_t width) {
      values.resize(static_cast<std::size_t>(width * (range.last - range.first)));
    });
    result.data.masses.resize(static_cast<std::size_t>(sizes[1]));
    return result;
  });
  if (comm.rank() == 0) {
    piece.data.lo = whole.lo;
    piece.data.hi = whole.hi;
    piece.data.tilt = whole.tilt;
    piece.data.masses = whole.masses;
  }
  broadcast(comm, piece.data.lo.data(), 3);
  broadcast(comm, piece.data.hi.data(), 3);
  broadcast(comm, piece.data.tilt.data(), 3);
  broadcast(comm, piece.data.masses.data(), piece.data.masses.size());
  if (comm.rank() != 0) {
    for_each_array(piece.data, [&](auto& values, std::int64_t) { receive(comm, values); });
    return piece;
  }
  for (int to = 1; to < comm.size(); ++to) {
    auto const theirs = even_range(sizes[0], to, comm.size());
    for_each_array(whole, [&](auto const& values, std::int64_t width) { send(comm, values, theirs, width, to); });
  }
  auto const copy = [&](auto const& from, auto& to) { std::copy_n(from.begin(), to.size(), to.begin()); };
  copy(whole.ids, piece.data.ids);
  copy(whole.types, piece.data.types);
  copy(whole.positions, piece.data.positions);
  copy(whole.velocities, piece.data.velocities);
  copy(whole.image_flags, piece.data.image_flags);
  return piece;
}

particle_piece read_lammps_data(communicator const& comm, std::filesystem::path const& path) {
  auto const whole =
      all_or_none(comm, [&] { return comm.rank() == 0 ? upsweep::read_lammps_data(path) : particle_data{}; });
  return scatter_particles(comm, whole);
}

}  // namespace upsweep::mpi
