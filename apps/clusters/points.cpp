// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "points.hpp"

#include "../support/groups/random_points.hpp"
#include "../support/mpi/launch.hpp"
#include "../support/npy_numbers.hpp"

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/io/mpi/lammps_data.hpp>
#include <upsweep/mpi/agree.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace clusters {
namespace {

using upsweep::particle_data;
using upsweep::mpi::all_or_none;

/// The points of a NumPy file as a data file has them, with the ids 0, 1, ...
particle_data read_npy_points(options const& o) {
  particle_data data;
  data.positions = apps::read_npy_vectors(o.input);
  if (data.positions.empty()) throw upsweep::input_error(o.input + ": no points (expected at least one)");
  std::size_t const n = data.positions.size() / 3;
  data.ids.resize(n);
  std::iota(data.ids.begin(), data.ids.end(), std::int64_t(0));
  data.types.assign(n, 1);
  for (std::size_t d = 0; d < 3; ++d) {
    data.lo[d] = o.origin[d];
    data.hi[d] = o.origin[d] + o.box[d];
    if (o.box[d] > 0) continue;
    double lo = data.positions[d], hi = lo;
    for (std::size_t i = 0; i < n; ++i) {
      lo = std::min(lo, data.positions[3 * i + d]);
      hi = std::max(hi, data.positions[3 * i + d]);
    }
    // An open box owns what is below its upper border.
    double const around = 1e-9 * std::max({hi - lo, std::abs(lo), std::abs(hi), 1e-100});
    data.lo[d] = lo - around;
    data.hi[d] = hi + around;
  }
  return data;
}

upsweep::box<double> box_of(options const& o, particle_data const& data) {
  bool const around = o.box[0] == 0 && !o.reads_lammps();
  try {
    Kokkos::Array<bool, 3> periodic;
    for (int d = 0; d < 3; ++d) periodic[d] = !o.open[static_cast<std::size_t>(d)] && !around;
    return upsweep::box<double>::triclinic({data.lo[0], data.lo[1], data.lo[2]}, {data.hi[0], data.hi[1], data.hi[2]},
                                           {.xy = data.tilt[0], .xz = data.tilt[1], .yz = data.tilt[2]}, periodic);
  } catch (upsweep::precondition_error const& e) {
    throw upsweep::input_error(o.input + ": " + e.what());
  }
}

struct count_up {
  numbers to;
  std::int64_t first;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to(i) = first + i; }
};

numbers counted(space_type const& space, char const* label, std::size_t n, std::int64_t first) {
  auto const view = make<numbers>(space, label, n);
  Kokkos::parallel_for("upsweep-clusters::count_up", points_range(space, n), count_up{view, first});
  return view;
}

/// About what a point takes while points are labelled and put in groups: positions twice, numbers, cells, and arrays of
/// groups.
constexpr double bytes_of_point = 200;

/// Refuses numbers of points that memory cannot hold before any of it is used.
void require_memory_for(space_type const& space, std::int64_t points, int ranks_on_node) {
  constexpr bool shared = std::is_same_v<memory_space, Kokkos::HostSpace>;
  int const ranks = shared ? ranks_on_node : 1;
  upsweep::require_memory(space, static_cast<std::size_t>(bytes_of_point * static_cast<double>(points) * ranks),
                          "upsweep-clusters",
                          std::to_string(points) + " points" +
                              (ranks == 1 ? "" : " on each of " + std::to_string(ranks) + " ranks of a node"));
}

point_set make_points(upsweep::mpi::communicator const& comm, space_type const& space, options const& o) {
  auto const range = upsweep::mpi::even_range(o.points, comm.rank(), comm.size());
  double const length = std::cbrt(static_cast<double>(o.points));
  int const beside = apps::ranks_on_node();
  return all_or_none(comm, [&] {
    require_memory_for(space, range.last - range.first, beside);
    auto const n = static_cast<std::size_t>(range.last - range.first);
    point_set points{{{0, 0, 0}, {length, length, length}, {!o.open[0], !o.open[1], !o.open[2]}},
                     make<vectors>(space, "positions", n),
                     counted(space, "numbers", n, range.first),
                     {},
                     o.points};
    points.id = points.number;
    fill_random_points(space, points.positions, range.first, length, o.random == "clustered", o.seed);
    return points;
  });
}

}  // namespace

point_set read_or_make_points(upsweep::mpi::communicator const& comm, space_type const& space, options const& o) {
  if (!o.random.empty()) return make_points(comm, space, o);
  upsweep::mpi::particle_piece piece;
  if (o.reads_lammps()) {
    piece = upsweep::mpi::read_lammps_data(comm, o.input, {.atom_style = o.atom_style});
  } else {
    auto const whole = all_or_none(comm, [&] { return comm.rank() == 0 ? read_npy_points(o) : particle_data{}; });
    piece = upsweep::mpi::scatter_particles(comm, whole);
  }
  return all_or_none(comm, [&] {
    if (piece.total == 0) throw upsweep::input_error(o.input + ": no points (expected at least one)");
    auto const& data = piece.data;
    std::size_t const n = data.size();
    return point_set{box_of(o, data), to_device<vectors>(space, "positions", data.positions, n),
                     counted(space, "numbers", n, piece.first), to_device<numbers>(space, "ids", data.ids, n),
                     piece.total};
  });
}

double linking_length(options const& o, point_set const& points) {
  if (o.length > 0) return o.length;
  return o.spacings * std::cbrt(points.box.volume() / static_cast<double>(points.total));
}

}  // namespace clusters
