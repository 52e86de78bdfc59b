// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Triclinic boxes with particles, the same on all ranks, and what halos and migration have to make of them.

#include "../neighbors/random_edges.hpp"
#include "particles.hpp"

#include <upsweep/mpi/bisect.hpp>
#include <upsweep/mpi/halo.hpp>
#include <upsweep/mpi/migrate.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace testing_mpi {

using host_vector = Kokkos::Array<double, 3>;

inline host_vector vector_of(point const& p) { return {p.x[0], p.x[1], p.x[2]}; }

/// The height of a box over the face of the other two edges, as a part of its upright length in direction d. That is 1
/// in a box of any edges.
inline double height_of_length(upsweep::box<double> const& box, int d) {
  if (box.is_of_edges()) return 1;
  auto const a = box.edge((d + 1) % 3), b = box.edge((d + 2) % 3);
  double face = 0;
  for (int c = 0; c < 3; ++c) {
    int const p = (c + 1) % 3, q = (c + 2) % 3;
    face = std::hypot(face, a[p] * b[q] - a[q] * b[p]);
  }
  return box.volume() / face / box.length(d);
}

/// How many images along d particles within the radius may be apart.
inline int images_along(upsweep::box<double> const& box, double radius, int d) {
  return box.periodic(d) ? 2 + static_cast<int>(radius / (height_of_length(box, d) * box.length(d))) : 0;
}

/// Positions as they are given, some of them far outside, and a radius.
struct cell {
  std::string name;
  upsweep::box<double> box;
  double radius;
  std::vector<point> points;
};

/// A box, a radius of up to `most` of the longest edge, or less where that would be too many images, and n particles:
/// some on faces and on borders of bricks, some at one place, some a few edges away along periodic directions.
inline cell make_cell(std::string const& name, upsweep::box<double> const& box, double radius, int n,
                      std::uint64_t seed) {
  cell c{name, box, radius, {}};
  auto const images = [&] {
    double all = 1;
    for (int d = 0; d < 3; ++d) all *= 2 * images_along(box, c.radius, d) - 1;
    return all;
  };
  while (images() > 400) c.radius *= 0.8;
  random_numbers random{seed};
  double size = 0;
  for (int k = 0; k < 3; ++k)
    for (int d = 0; d < 3; ++d) size = std::max(size, std::abs(box.edge(k)[d]));
  if (size == 0) size = 1;
  for (int i = 0; i < n; ++i) {
    double f[3];
    auto const origin = box.origin();
    point p{{origin[0], origin[1], origin[2]}};
    for (int k = 0; k < 3; ++k) {
      f[k] = random.uniform();
      if (i % 5 == 0) f[k] = static_cast<double>(random.below(61)) / 60;
      if (i % 50 == 7) f[k] = 0.25;
      if (box.periodic(k)) f[k] += static_cast<double>(random.below(7)) - 3;
      for (int d = 0; d < 3; ++d) p.x[d] += f[k] * box.edge(k)[d];
      // Edges of open directions may be zero.
      if (box.is_of_edges() && !box.periodic(k))
        for (int d = 0; d < 3; ++d) p.x[d] += (3 * random.uniform() - 1) * size * box.frame().normals[k][d];
    }
    c.points.push_back(p);
  }
  return c;
}

/// Boxes of all kinds: of any edges (tests/neighbors/random_edges.hpp), and tilted ones with any of their directions
/// open, whose tilts are up to three edges.
inline cell random_cell(unsigned seed, int n) {
  oracle::edge_generator random(seed);
  auto const name = "cell " + std::to_string(seed);
  bool const thin = random.pick(0, 2) == 0;
  auto const radius_of = [&](double length) { return length * (thin ? random.real(1, 2) : random.real(0.1, 0.6)); };
  if (seed % 2 == 0) {
    auto const box = random.box<double>(5).library();
    double longest = 0;
    for (int d = 0; d < 3; ++d)
      if (box.periodic(d)) longest = std::max(longest, box.length(d));
    return make_cell(name, box, radius_of(longest > 0 ? longest : 1), n, seed);
  }
  host_vector lo, hi;
  for (int d = 0; d < 3; ++d) {
    lo[d] = random.pick(0, 1) == 0 ? 0 : random.real(-20, 20);
    hi[d] = lo[d] + random.real(1, 12);
  }
  upsweep::tilt<double> const tilt{.xy = random.real(-3, 3) * (hi[0] - lo[0]),
                                   .xz = random.real(-3, 3) * (hi[0] - lo[0]),
                                   .yz = random.real(-3, 3) * (hi[1] - lo[1])};
  int const mask = random.pick(0, 1) == 0 ? 7 : random.pick(0, 7);
  auto const box = upsweep::box<double>::triclinic(lo, hi, tilt, {(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0});
  return make_cell(name, box, radius_of(hi[1] - lo[1]), n, seed);
}

/// Whether a grid of all ranks can cut it: a box of any edges has no borders in open directions.
inline bool has_grid(upsweep::box<double> const& box) {
  return world().size() == 1 || !box.is_of_edges() || box.periodic(0) || box.periodic(1) || box.periodic(2);
}

using list_type = upsweep::neighbor_list<space_type, double>;
using pair_of_list = std::tuple<std::int64_t, std::int64_t, int, int, int>;  // ids and image

/// The pairs of a list in order of ids and images. image_of(k, j): of pair k with neighbour j.
template <class ImageOf>
std::vector<pair_of_list> pairs_of(list_type const& list, std::vector<std::int64_t> const& ids,
                                   ImageOf const& image_of) {
  auto const offsets = to_vector(list.offsets());
  auto const neighbors = to_vector(list.neighbors());
  std::vector<pair_of_list> pairs;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      auto const j = static_cast<std::size_t>(neighbors[k]);
      upsweep::image const s = image_of(k, j);
      pairs.emplace_back(ids[i], ids[j], s.x(), s.y(), s.z());
    }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// A list of all particles, made by one process.
struct whole_list {
  std::vector<pair_of_list> pairs;
  std::uint64_t hash;

  explicit whole_list(cell const& c) {
    list_type const list(space_type(), to_positions(c.points), c.box, c.radius, {.pair_images = true});
    std::vector<std::int64_t> ids(c.points.size());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int64_t>(i);
    auto const images = to_vector(list.pair_images().view());
    pairs = pairs_of(list, ids, [&](std::size_t k, std::size_t) { return images[k]; });
    hash = list.hash();
  }
};

/// Particles of a cell on the ranks that own them.
struct migrated {
  positions_view positions;
  std::vector<std::int64_t> ids;

  /// From an arbitrary share of all on each rank. Expects them to be what they were, wrapped, and where they belong.
  migrated(cell const& c, upsweep::mpi::domain<double> const& parts) {
    auto const& comm = world();
    for (std::size_t i = 0; i < c.points.size(); ++i)
      if (static_cast<int>(i * 7 % static_cast<std::size_t>(comm.size())) == comm.rank())
        ids.push_back(static_cast<std::int64_t>(i));
    std::vector<point> points;
    for (auto const i : ids) points.push_back(c.points[static_cast<std::size_t>(i)]);
    positions = to_positions(points);
    auto given = to_positions(points);
    auto device_ids = to_view(ids);
    Kokkos::View<int* [3], memory_space> crossings("crossings", ids.size());
    upsweep::mpi::migrate_and_count(comm, space_type(), parts, positions, crossings, device_ids, given);
    ids = to_vector(device_ids);
    auto const were = to_points(given), are = to_points(positions);
    oracle::host_copy const counts(crossings);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      auto const wrapped = c.box.wrap(vector_of(were[i]));
      auto const edges = c.box.edges_off(vector_of(were[i]));
      for (int d = 0; d < 3; ++d) {
        EXPECT_EQ(were[i].x[d], c.points[static_cast<std::size_t>(ids[i])].x[d]);
        EXPECT_EQ(are[i].x[d], wrapped[d]);
        EXPECT_EQ(counts(i, d), edges[d]);
      }
      EXPECT_EQ(parts.owner(are[i].x[0], are[i].x[1], are[i].x[2]), comm.rank());
    }
    auto all = gathered(comm, ids);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all.size(), c.points.size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<std::int64_t>(i));
    // Everybody is at home: a second time nothing moves.
    upsweep::mpi::migrate(comm, space_type(), parts, positions, device_ids);
    EXPECT_EQ(to_vector(device_ids), ids);
  }
};

/// How many ghosts a rank has within the radius of its brick, plus `more` of all lengths. No more are needed.
inline std::size_t exact_ghosts(cell const& c, upsweep::mpi::domain<double> const& parts, double more) {
  auto const& box = c.box;
  auto const mine = parts.brick(world().rank());
  int most[3];
  double reach[3];
  for (int d = 0; d < 3; ++d) {
    most[d] = images_along(box, c.radius, d);
    reach[d] = c.radius / height_of_length(box, d);
  }
  std::size_t count = 0;
  for (auto const& p : c.points) {
    auto const wrapped = box.wrap(vector_of(p));
    auto const at = box.upright(wrapped);
    bool const own = parts.owner(wrapped[0], wrapped[1], wrapped[2]) == world().rank();
    auto const near = [&](int s, int d) {
      double const x = at[d] + s * box.length(d);
      double const slack = more * (std::abs(x) + reach[d] + box.length(d));
      return x >= mine.lo[d] - reach[d] - slack && x <= mine.hi[d] + reach[d] + slack;
    };
    std::size_t images[3] = {0, 0, 0};
    for (int d = 0; d < 3; ++d)
      for (int s = -most[d]; s <= most[d]; ++s) images[d] += near(s, d) ? 1 : 0;
    count += images[0] * images[1] * images[2] - (own ? 1 : 0);
  }
  return count;
}

/// The lists of all ranks together are that of one process, pair by pair and with its hash; reverse_add reaches each
/// ghost's owner; rows of the interior have no ghosts; and there are not many more ghosts than have to be.
inline void expect_list_of_one_process(cell const& c, whole_list const& whole,
                                       upsweep::mpi::domain<double> const& parts) {
  SCOPED_TRACE(c.name);
  auto const& comm = world();
  migrated const own(c, parts);
  upsweep::mpi::halo<space_type, double> halo;
  halo.build(comm, space_type(), parts, own.positions, c.radius);
  ASSERT_EQ(halo.owned(), own.ids.size());
  std::size_t const all = halo.owned() + halo.ghosts();
  EXPECT_GE(halo.ghosts(), exact_ghosts(c, parts, -1e-9));
  EXPECT_LE(halo.ghosts(), exact_ghosts(c, parts, 1e-9));

  auto const interior = to_vector(halo.interior_rows(space_type(), own.positions));
  EXPECT_EQ(interior.size() + to_vector(halo.border_rows()).size(), halo.owned());
  auto positions = own.positions;
  Kokkos::resize(positions, all);
  auto device_ids = to_view(own.ids);
  Kokkos::resize(device_ids, all);
  halo.exchange(space_type(), positions);
  halo.exchange(space_type(), device_ids);
  space_type().fence();
  auto const ids = to_vector(device_ids);
  auto const images = to_vector(halo.images());
  list_type const list(space_type(), positions, c.box, c.radius,
                       {.rows = halo.owned(), .ids = device_ids, .images = halo.images()});
  auto pairs =
      gathered(comm, pairs_of(list, ids, [&](std::size_t, std::size_t j) -> upsweep::image { return images[j]; }));
  std::sort(pairs.begin(), pairs.end());
  EXPECT_EQ(pairs.size(), whole.pairs.size());
  EXPECT_TRUE(pairs == whole.pairs);
  std::uint64_t hash = list.hash();
  MPI_Allreduce(MPI_IN_PLACE, &hash, 1, MPI_UINT64_T, MPI_SUM, comm.get());
  EXPECT_EQ(hash, whole.hash);

  auto const offsets = to_vector(list.offsets());
  auto const neighbors = to_vector(list.neighbors());
  for (auto const i : interior)
    for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k)
      EXPECT_LT(static_cast<std::size_t>(neighbors[k]), halo.owned());

  // Each ghost counts for its owner.
  std::vector<std::int64_t> ghosts(c.points.size());
  for (std::size_t j = halo.owned(); j < all; ++j) ++ghosts[static_cast<std::size_t>(ids[j])];
  MPI_Allreduce(MPI_IN_PLACE, ghosts.data(), static_cast<int>(ghosts.size()), MPI_INT64_T, MPI_SUM, comm.get());
  auto const ones = to_view(std::vector<std::int64_t>(all, 1));
  halo.reverse_add(space_type(), ones);
  space_type().fence();
  auto const sums = to_vector(ones);
  for (std::size_t i = 0; i < halo.owned(); ++i) EXPECT_EQ(sums[i], 1 + ghosts[static_cast<std::size_t>(ids[i])]);
}

/// On the grid that is best, and with the bricks of a bisection.
inline void expect_list_of_one_process(cell const& c) {
  whole_list const whole(c);
  if (has_grid(c.box)) expect_list_of_one_process(c, whole, upsweep::mpi::domain<double>(world(), c.box));
  std::vector<point> share;
  for (std::size_t i = static_cast<std::size_t>(world().rank()); i < c.points.size();
       i += static_cast<std::size_t>(world().size()))
    share.push_back(c.points[i]);
  expect_list_of_one_process(c, whole, upsweep::mpi::bisect(world(), space_type(), c.box, to_positions(share)));
}

}  // namespace testing_mpi
