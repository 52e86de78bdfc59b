// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Triclinic boxes on several ranks: domain, bisect, migrate and halo together give the lists of one process.

#include "brick_of_owner.hpp"
#include "cells.hpp"

using namespace testing_mpi;
namespace mpi = upsweep::mpi;
using box_type = upsweep::box<double>;

TEST(triclinic, random_cells) {
  for (unsigned seed = 0; seed < 12; ++seed) expect_list_of_one_process(random_cell(seed, 150));
}

TEST(long_triclinic, random_cells) {
  for (unsigned seed = 1000; seed < 1200; ++seed) expect_list_of_one_process(random_cell(seed, 150));
}

// Bricks in a row, thinner than the radius, along each edge.
TEST(triclinic, rows_of_thin_bricks) {
  for (auto const& box :
       {box_type::triclinic({0, 1, -2}, {9, 9, 8}, {.xy = 7, .xz = -12, .yz = 5}),
        box_type::triclinic({0, 1, -2}, {9, 9, 8}, {.xy = -4, .xz = 2, .yz = 4}, {true, false, true}),
        box_type::of_edges({0, 5, 5}, {5, 0, 5}, {5, 5, 0}), box_type::of_edges({0, 6, 7}, {-9, 1, 3}, {2, 2, -8})}) {
    auto const c = make_cell("row of bricks", box, 3.0, 200, 5);
    whole_list const whole(c);
    for (int d = 0; d < 3; ++d) {
      mpi::rank_grid grid{1, 1, 1};
      grid[d] = world().size();
      expect_list_of_one_process(c, whole, mpi::domain<double>(world(), box, grid));
    }
  }
}

// The primitive cell of a crystal, a few images of one particle.
TEST(triclinic, box_smaller_than_the_radius) {
  auto const fcc = box_type::of_edges({0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0});
  expect_list_of_one_process(cell{"fcc", fcc, 1.25, {{{0, 0, 0}}}});
  expect_list_of_one_process(make_cell("few", box_type::triclinic({0, 0, 0}, {1, 2, 1}, {.xy = 1.5}), 2.2, 9, 3));
}

// Far out along an open direction coordinates are rounded more than anywhere in the box.
TEST(triclinic, far_along_an_open_direction) {
  auto const slab = box_type::of_edges({6, 1, 2}, {-1, 5, 3}, {0, 0, 0}, {true, true, false});
  auto c = make_cell("slab", slab, 1.5, 200, 8);
  auto const out = slab.frame().normals[2];
  for (std::size_t i = 0; i < c.points.size(); i += 3)
    for (int d = 0; d < 3; ++d) c.points[i].x[d] += 3e7 * out[d];
  expect_list_of_one_process(c);
  // All in one plane, and none at all.
  for (auto& p : c.points) p = {{0.25 * p.x[0], 0.25 * p.x[1], 0}};
  auto const flat = box_type::of_edges({6, 1, 0}, {-1, 5, 0}, {0, 0, 0}, {true, true, false});
  expect_list_of_one_process(cell{"plane", flat, 1.5, c.points});
  expect_list_of_one_process(cell{"empty", flat, 1.5, {}});
  expect_list_of_one_process(
      cell{"open", box_type::of_edges({0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {false, false, false}), 1.5, c.points});
}

// An orthogonal box written down as edges, whose faces are named in another order or turned, has the same list.
TEST(triclinic, same_list_however_the_box_is_given) {
  auto c = make_cell("orthogonal", box_type({0, 0, 0}, {7, 8, 9}), 2.3, 200, 12);
  whole_list const whole(c);
  for (auto& p : c.points) {
    auto const w = c.box.wrap(vector_of(p));
    p = {{w[0], w[1], w[2]}};
  }
  expect_list_of_one_process(c, whole, mpi::domain<double>(world(), c.box));
  c.box = box_type::of_edges({7, 0, 0}, {0, 8, 0}, {0, 0, 9});
  EXPECT_TRUE(c.box.is_orthogonal());
  expect_list_of_one_process(c, whole, mpi::domain<double>(world(), c.box));
  // A tilt of whole edges is the same lattice, but wraps y and z to other images. Half an edge off the faces nothing
  // is rounded, so distances keep their bits.
  for (auto& p : c.points)
    for (int d = 0; d < 3; ++d) p.x[d] = std::round(p.x[d] * 4) / 4;
  whole_list const quarters(c);
  auto const number_of_pairs = [&](box_type const& box) {
    return whole_list(cell{"", box, c.radius, c.points}).pairs.size();
  };
  auto const tilted = box_type::triclinic({0, 0, 0}, {7, 8, 9}, {.xy = 7, .xz = -14, .yz = 8});
  auto const renamed = box_type::of_edges({0, 8, 0}, {0, 0, 9}, {-7, 0, 0});
  for (auto const& box : {tilted, renamed}) {
    EXPECT_EQ(number_of_pairs(box), quarters.pairs.size());
    expect_list_of_one_process(cell{"the same lattice", box, c.radius, c.points});
  }
}

namespace {

/// The hash of the list that all ranks make together, of wrapped positions.
std::uint64_t hash_of_floats(upsweep::box<float> const& box, std::vector<point> const& points, float radius) {
  using real_view = Kokkos::View<float* [3], Kokkos::LayoutLeft, memory_space>;
  auto const& comm = world();
  mpi::domain<float> const parts(comm, box);
  std::vector<std::int64_t> ids;
  for (std::size_t i = static_cast<std::size_t>(comm.rank()); i < points.size();
       i += static_cast<std::size_t>(comm.size()))
    ids.push_back(static_cast<std::int64_t>(i));
  real_view positions("positions", ids.size());
  oracle::host_copy const host(positions);
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (int d = 0; d < 3; ++d) host(i, d) = static_cast<float>(points[static_cast<std::size_t>(ids[i])].x[d]);
  host.write();
  auto device_ids = to_view(ids);
  mpi::migrate(comm, space_type(), parts, positions, device_ids);
  mpi::halo<space_type, float> halo;
  halo.build(comm, space_type(), parts, positions, radius);
  Kokkos::resize(positions, halo.owned() + halo.ghosts());
  Kokkos::resize(device_ids, halo.owned() + halo.ghosts());
  halo.exchange(space_type(), positions);
  halo.exchange(space_type(), device_ids);
  upsweep::neighbor_list<space_type, float> const list(
      space_type(), positions, box, radius, {.rows = halo.owned(), .ids = device_ids, .images = halo.images()});
  std::uint64_t hash = list.hash();
  MPI_Allreduce(MPI_IN_PLACE, &hash, 1, MPI_UINT64_T, MPI_SUM, comm.get());
  return hash;
}

}  // namespace

// Floats are rounded so much that a reach that is too short shows: far from the origin, with pairs at right angles to
// the faces of bricks, one particle on the face and the other as far away as the radius.
TEST(triclinic, floats) {
  float const radius = 2;
  for (auto const& box :
       {upsweep::box<float>::triclinic({300, -200, 100}, {312, -190, 109}, {.xy = 7, .xz = -11, .yz = 5}),
        upsweep::box<float>::of_edges({0, 6, 7}, {-9, 1, 3}, {2, 2, -8}, {true, true, true}, {250, 250, 250})}) {
    auto const grid = mpi::domain<float>(world(), box).grid();
    std::vector<point> points;
    random_numbers random{7};
    for (int pair = 0; pair < 1200; ++pair) {
      int const d = pair % 3;
      auto const p = box.edge((d + 1) % 3), q = box.edge((d + 2) % 3);
      double normal[3], length = 0;
      for (int c = 0; c < 3; ++c) {
        int const e = (c + 1) % 3, f = (c + 2) % 3;
        normal[c] = double(p[e]) * q[f] - double(p[f]) * q[e];
        length = std::hypot(length, normal[c]);
      }
      point on_face, beside;
      for (int c = 0; c < 3; ++c) on_face.x[c] = box.origin()[c];
      for (int k = 0; k < 3; ++k) {
        double const face = static_cast<double>(random.below(static_cast<std::uint64_t>(grid[k]))) / grid[k];
        double const part = k == d ? face : random.uniform();
        for (int c = 0; c < 3; ++c) on_face.x[c] += part * box.edge(k)[c];
      }
      double const way = (pair % 2 == 0 ? radius : -radius) / length;
      for (int c = 0; c < 3; ++c) {
        on_face.x[c] = static_cast<float>(on_face.x[c]);
        beside.x[c] = static_cast<float>(on_face.x[c] + way * normal[c]);
      }
      points.push_back(on_face);
      points.push_back(beside);
    }
    Kokkos::View<float* [3], memory_space> all("all", points.size());
    oracle::host_copy const host(all);
    for (std::size_t i = 0; i < points.size(); ++i)
      for (int d = 0; d < 3; ++d) host(i, d) = static_cast<float>(points[i].x[d]);
    host.write();
    upsweep::neighbor_list<space_type, float> const whole(space_type(), all, box, radius, {.pair_images = true});
    EXPECT_EQ(hash_of_floats(box, points, radius), whole.hash());
  }
}

TEST(triclinic, owners_and_bricks_agree) {
  for (auto const& box : {box_type::triclinic({0, 1, -2}, {9, 9, 8}, {.xy = 7, .xz = -12, .yz = 5}),
                          box_type::of_edges({0, 6, 7}, {-9, 1, 3}, {2, 2, -8})}) {
    mpi::domain<double> const parts(world(), box);
    random_numbers random{5};
    for (int i = 0; i < 500; ++i) {
      host_vector x = box.origin();
      for (int k = 0; k < 3; ++k) {
        double const f = random.uniform();
        for (int d = 0; d < 3; ++d) x[d] += f * box.edge(k)[d];
      }
      x = box.wrap(x);
      expect_only_owner_holds(parts, x, box.upright(x));
    }
  }
}

// A grid has thin bricks where the box is high, not where its edge is long.
TEST(triclinic, grid_of_fewest_ghosts) {
  auto const box = box_type::triclinic({0, 0, 0}, {10, 10, 10}, {.xy = 100});
  mpi::domain<double> const parts(world(), box);
  EXPECT_EQ(parts.grid()[0], 1);
  // Weights are shared evenly by a bisection, and particles at one place are not cut.
  auto const c = make_cell("weights", box, 1, 400, 3);
  std::vector<point> share;
  for (std::size_t i = static_cast<std::size_t>(world().rank()); i < c.points.size();
       i += static_cast<std::size_t>(world().size()))
    share.push_back(c.points[i]);
  auto const cut = mpi::bisect(world(), space_type(), box, to_positions(share));
  std::vector<int> owned(static_cast<std::size_t>(world().size()));
  for (auto const& p : c.points) {
    auto const w = box.wrap(vector_of(p));
    ++owned[static_cast<std::size_t>(cut.owner(w[0], w[1], w[2]))];
  }
  for (int const n : owned) EXPECT_NEAR(n, 400.0 / world().size(), 24);
}
