// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "points.hpp"

#include "../support/groups/random_points.hpp"
#include "../support/mpi/launch.hpp"
#include "../support/points/points_outside.hpp"
#include "../support/points/read_points.hpp"

#include <upsweep/base/available_memory.hpp>
#include <upsweep/io/mpi/lammps_data.hpp>
#include <upsweep/mpi/agree.hpp>

#include <cmath>
#include <string>
#include <type_traits>

namespace clusters {
namespace {

using upsweep::mpi::all_or_none;

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
                          "--points",
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
  auto const piece = [&] {
    auto const whole = all_or_none(comm, [&] {
      if (comm.rank() != 0) return upsweep::particle_data{};
      auto data = apps::read_points(o);
      apps::note_points_outside("upsweep-clusters", o, data.positions, apps::box_of_points(o.input, data));
      return data;
    });
    return upsweep::mpi::scatter_particles(comm, whole);
  }();
  return all_or_none(comm, [&] {
    auto const& data = piece.data;
    std::size_t const n = data.size();
    return point_set{apps::box_of_points(o.input, data), to_device<vectors>(space, "positions", data.positions, n),
                     counted(space, "numbers", n, piece.first), to_device<numbers>(space, "ids", data.ids, n),
                     piece.total};
  });
}

double linking_length(options const& o, point_set const& points) {
  if (o.length > 0) return o.length;
  return o.spacings * std::cbrt(points.box.volume() / static_cast<double>(points.total));
}

}  // namespace clusters
