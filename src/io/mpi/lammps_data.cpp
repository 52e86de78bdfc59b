// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/io/lammps_data.hpp>
#include <upsweep/io/mpi/lammps_data.hpp>
#include <upsweep/mpi/agree.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <string>

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
    check(comm, MPI_Send(at, static_cast<int>(n), type_of<T>(), to, particle_tag, comm.get()), "MPI_Send");
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
    check(comm, MPI_Recv(at, static_cast<int>(n), type_of<T>(), 0, particle_tag, comm.get(), MPI_STATUS_IGNORE),
          "MPI_Recv");
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

/// Throws precondition_error unless every per-particle array has as many values as the ids say. Velocities and image
/// flags may be empty.
void require_whole(particle_data const& whole) {
  auto const need = [&](char const* name, std::size_t has, std::size_t width, bool optional) {
    std::size_t const wanted = width * whole.size();
    if (has == wanted || (optional && has == 0)) return;
    throw precondition_error("mpi::scatter_particles: " + std::string(name) + " has " + std::to_string(has) +
                             " values, " + std::to_string(whole.size()) + " ids need " + std::to_string(wanted) +
                             (optional ? " or none" : ""));
  };
  need("types", whole.types.size(), 1, false);
  need("positions", whole.positions.size(), 3, false);
  need("velocities", whole.velocities.size(), 3, true);
  need("image_flags", whole.image_flags.size(), 3, true);
}

void broadcast(communicator const& comm, double* values, std::size_t n) {
  for (std::size_t at = 0; at < n; at += largest_piece)
    check(comm, MPI_Bcast(values + at, static_cast<int>(std::min(n - at, largest_piece)), MPI_DOUBLE, 0, comm.get()),
          "MPI_Bcast");
}

}  // namespace

id_range even_range(std::int64_t n, int rank, int size) {
  // rank * n may pass 64 bits; quotient and remainder of n by size do not.
  auto const border = [&](std::int64_t r) { return n / size * r + n % size * r / size; };
  return {border(rank), border(rank + 1)};
}

particle_piece scatter_particles(communicator const& comm, particle_data const& whole) {
  all_or_none(comm, [&] {
    if (comm.rank() == 0) require_whole(whole);
  });
  std::array<std::int64_t, 4> sizes{static_cast<std::int64_t>(whole.size()),
                                    static_cast<std::int64_t>(whole.masses.size()), whole.velocities.empty() ? 0 : 1,
                                    whole.image_flags.empty() ? 0 : 1};
  check(comm, MPI_Bcast(sizes.data(), 4, MPI_INT64_T, 0, comm.get()), "MPI_Bcast");
  // What rank 0 has not got is zero, and is not sent.
  auto const sent = [&](auto const& values, particle_data const& in) {
    void const* const at = &values;
    return !(at == &in.velocities && sizes[2] == 0) && !(at == &in.image_flags && sizes[3] == 0);
  };
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
    for_each_array(piece.data, [&](auto& values, std::int64_t) {
      if (sent(values, piece.data)) receive(comm, values);
    });
    return piece;
  }
  for (int to = 1; to < comm.size(); ++to) {
    auto const theirs = even_range(sizes[0], to, comm.size());
    for_each_array(whole, [&](auto const& values, std::int64_t width) {
      if (sent(values, whole)) send(comm, values, theirs, width, to);
    });
  }
  auto const copy = [&](auto const& from, auto& to) {
    if (sent(from, whole)) std::copy_n(from.begin(), to.size(), to.begin());
  };
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
