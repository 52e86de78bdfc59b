// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/io/lammps_data.hpp>
#include <upsweep/io/mpi/lammps_data.hpp>
#include <upsweep/mpi/agree.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

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
void send(communicator const& comm, T const* at, std::size_t left, int to) {
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

/// What ranks get of a per-particle array that rank 0 has not got.
enum class absent { impossible, zeros, none };

/// A per-particle array of particle_data.
struct particle_array {
  std::size_t index;
  char const* name;
  std::int64_t width;
  absent if_absent;
};
constexpr std::size_t arrays = 9;

/// Calls f(particle_array, data.member...) for every per-particle array.
template <class F, class... Data>
void for_each_array(F&& f, Data&... data) {
  f(particle_array{0, "ids", 1, absent::impossible}, data.ids...);
  f(particle_array{1, "types", 1, absent::impossible}, data.types...);
  f(particle_array{2, "positions", 3, absent::impossible}, data.positions...);
  f(particle_array{3, "velocities", 3, absent::zeros}, data.velocities...);
  f(particle_array{4, "image_flags", 3, absent::zeros}, data.image_flags...);
  f(particle_array{5, "charges", 1, absent::none}, data.charges...);
  f(particle_array{6, "radii", 1, absent::none}, data.radii...);
  f(particle_array{7, "molecules", 1, absent::none}, data.molecules...);
  f(particle_array{8, "particle_masses", 1, absent::none}, data.particle_masses...);
}

/// Throws precondition_error unless every per-particle array has as many values as the ids say, or none where it need
/// not be there, and bonds are of these particles.
void require_whole(particle_data const& whole) {
  auto const check_array = [&](particle_array const& a, auto const& values) {
    bool const optional = a.if_absent != absent::impossible;
    std::size_t const wanted = static_cast<std::size_t>(a.width) * whole.size();
    if (values.size() == wanted || (optional && values.empty())) return;
    throw precondition_error("mpi::scatter_particles: " + std::string(a.name) + " has " +
                             std::to_string(values.size()) + " values, " + std::to_string(whole.size()) + " ids need " +
                             std::to_string(wanted) + (optional ? " or none" : ""));
  };
  for_each_array(check_array, whole);
  if (whole.bonds.size() != 2 * whole.bond_types.size())
    throw precondition_error("mpi::scatter_particles: bonds has " + std::to_string(whole.bonds.size()) + " values, " +
                             std::to_string(whole.bond_types.size()) + " bond_types need two each");
  auto const n = static_cast<std::int64_t>(whole.size());
  for (std::size_t k = 0; k < whole.bonds.size(); ++k)
    if (whole.bonds[k] < 0 || whole.bonds[k] >= n)
      throw precondition_error("mpi::scatter_particles: bond " + std::to_string(k / 2) + " joins particle " +
                               std::to_string(whole.bonds[k]) + " of " + std::to_string(n));
}

/// Bonds and their types in the order of the ranks that get them, and how many each gets.
struct bonds_of_ranks {
  std::vector<std::int64_t> bonds;
  std::vector<std::int32_t> types;
  std::vector<std::int64_t> counts;
};

/// The rank whose even range of n ids has this one.
int owner(std::int64_t id, std::int64_t n, int size) {
  int first = 0, last = size - 1;
  while (first < last) {
    int const middle = (first + last) / 2;
    if (id < even_range(n, middle, size).last) last = middle;
    else first = middle + 1;
  }
  return first;
}

bonds_of_ranks sort_bonds(particle_data const& whole, int size) {
  bonds_of_ranks sorted;
  sorted.counts.assign(static_cast<std::size_t>(size), 0);
  if (whole.bonds.empty()) return sorted;
  std::size_t const n = whole.bond_types.size();
  std::vector<int> owners(n);
  for (std::size_t k = 0; k < n; ++k) {
    owners[k] = owner(whole.bonds[2 * k], static_cast<std::int64_t>(whole.size()), size);
    ++sorted.counts[static_cast<std::size_t>(owners[k])];
  }
  std::vector<std::int64_t> next(sorted.counts.size(), 0);
  std::exclusive_scan(sorted.counts.begin(), sorted.counts.end(), next.begin(), std::int64_t(0));
  sorted.bonds.resize(2 * n);
  sorted.types.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    auto const place = static_cast<std::size_t>(next[static_cast<std::size_t>(owners[k])]++);
    std::copy_n(&whole.bonds[2 * k], 2, &sorted.bonds[2 * place]);
    sorted.types[place] = whole.bond_types[k];
  }
  return sorted;
}

/// Hands each rank its bonds.
void scatter_bonds(communicator const& comm, bonds_of_ranks const& sorted, particle_data& piece) {
  std::int64_t mine = 0;
  check(comm, MPI_Scatter(sorted.counts.data(), 1, MPI_INT64_T, &mine, 1, MPI_INT64_T, 0, comm.get()), "MPI_Scatter");
  all_or_none(comm, [&] {
    piece.bonds.resize(2 * static_cast<std::size_t>(mine));
    piece.bond_types.resize(static_cast<std::size_t>(mine));
  });
  if (comm.rank() != 0) {
    receive(comm, piece.bonds);
    receive(comm, piece.bond_types);
    return;
  }
  std::copy_n(sorted.bonds.begin(), piece.bonds.size(), piece.bonds.begin());
  std::copy_n(sorted.types.begin(), piece.bond_types.size(), piece.bond_types.begin());
  auto at = static_cast<std::size_t>(mine);
  for (int to = 1; to < comm.size(); ++to) {
    auto const n = static_cast<std::size_t>(sorted.counts[static_cast<std::size_t>(to)]);
    send(comm, sorted.bonds.data() + 2 * at, 2 * n, to);
    send(comm, sorted.types.data() + at, n, to);
    at += n;
  }
}

/// Names, each with a line end behind it, which no name has.
std::string to_lines(std::vector<std::string> const& names) {
  std::string text;
  for (auto const& name : names) text += name + "\n";
  return text;
}
std::vector<std::string> from_lines(std::string const& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = text.find('\n', at);
    names.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

template <class T>
void broadcast(communicator const& comm, T* values, std::size_t n, MPI_Datatype type) {
  for (std::size_t at = 0; at < n; at += largest_piece)
    check(comm, MPI_Bcast(values + at, static_cast<int>(std::min(n - at, largest_piece)), type, 0, comm.get()),
          "MPI_Bcast");
}

}  // namespace

id_range even_range(std::int64_t n, int rank, int size) {
  // rank * n may pass 64 bits; quotient and remainder of n by size do not.
  auto const border = [&](std::int64_t r) { return n / size * r + n % size * r / size; };
  return {border(rank), border(rank + 1)};
}

particle_piece scatter_particles(communicator const& comm, particle_data const& whole) {
  std::string skipped;
  auto const sorted_bonds = all_or_none(comm, [&] {
    if (comm.rank() != 0) return bonds_of_ranks{};
    require_whole(whole);
    skipped = to_lines(whole.skipped);
    return sort_bonds(whole, comm.size());
  });
  std::array<std::int64_t, 3 + arrays> sizes{static_cast<std::int64_t>(whole.size()),
                                             static_cast<std::int64_t>(whole.masses.size()),
                                             static_cast<std::int64_t>(skipped.size())};
  auto* const present = &sizes[3];
  for_each_array([&](particle_array const& a, auto const& values) { present[a.index] = values.empty() ? 0 : 1; },
                 whole);
  check(comm, MPI_Bcast(sizes.data(), static_cast<int>(sizes.size()), MPI_INT64_T, 0, comm.get()), "MPI_Bcast");
  auto const range = even_range(sizes[0], comm.rank(), comm.size());
  auto piece = all_or_none(comm, [&] {
    particle_piece result;
    result.first = range.first;
    result.total = sizes[0];
    auto const make = [&](particle_array const& a, auto& values) {
      if (present[a.index] != 0 || a.if_absent == absent::zeros)
        values.resize(static_cast<std::size_t>(a.width * (range.last - range.first)));
    };
    for_each_array(make, result.data);
    result.data.masses.resize(static_cast<std::size_t>(sizes[1]));
    skipped.resize(static_cast<std::size_t>(sizes[2]));
    return result;
  });
  if (comm.rank() == 0) {
    piece.data.lo = whole.lo;
    piece.data.hi = whole.hi;
    piece.data.tilt = whole.tilt;
    piece.data.periodic = whole.periodic;
    piece.data.masses = whole.masses;
  }
  broadcast(comm, piece.data.lo.data(), 3, MPI_DOUBLE);
  broadcast(comm, piece.data.hi.data(), 3, MPI_DOUBLE);
  broadcast(comm, piece.data.tilt.data(), 3, MPI_DOUBLE);
  broadcast(comm, piece.data.periodic.data(), 3, MPI_C_BOOL);
  broadcast(comm, piece.data.masses.data(), piece.data.masses.size(), MPI_DOUBLE);
  broadcast(comm, skipped.data(), skipped.size(), MPI_CHAR);
  all_or_none(comm, [&] { piece.data.skipped = from_lines(skipped); });
  scatter_bonds(comm, sorted_bonds, piece.data);
  // What rank 0 has not got is not sent.
  if (comm.rank() != 0) {
    auto const take = [&](particle_array const& a, auto& values) {
      if (present[a.index] != 0) receive(comm, values);
    };
    for_each_array(take, piece.data);
    return piece;
  }
  for (int to = 1; to < comm.size(); ++to) {
    auto const theirs = even_range(sizes[0], to, comm.size());
    auto const give = [&](particle_array const& a, auto const& values) {
      if (!values.empty())
        send(comm, values.data() + a.width * theirs.first,
             static_cast<std::size_t>(a.width * (theirs.last - theirs.first)), to);
    };
    for_each_array(give, whole);
  }
  // Rank 0's own range begins at 0.
  auto const keep = [](particle_array const&, auto const& from, auto& to) {
    if (!from.empty()) std::copy_n(from.begin(), to.size(), to.begin());
  };
  for_each_array(keep, whole, piece.data);
  return piece;
}

particle_piece read_lammps_data(communicator const& comm, std::filesystem::path const& path,
                                lammps_data_options const& options) {
  auto const whole =
      all_or_none(comm, [&] { return comm.rank() == 0 ? upsweep::read_lammps_data(path, options) : particle_data{}; });
  return scatter_particles(comm, whole);
}

}  // namespace upsweep::mpi
