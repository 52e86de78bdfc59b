// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Triclinic boxes on several ranks: domain, bisect, migrate and halo together give the lists of one process.

#include "cells.hpp"

using namespace testing_mpi;
namespace mpi = upsweep::mpi;
using box_type = upsweep::box<double>;

TEST(Triclinic, RandomCells) {
  for (unsigned seed = 0; seed < 12; ++seed) expect_list_of_one_process(random_cell(seed, 150));
}

TEST(LongTriclinic, RandomCells) {
  for (unsigned seed = 1000; seed < 1200; ++seed) expect_list_of_one_process(random_cell(seed, 150));
}

// Bricks in a row, thinner than the radius, along each edge.
TEST(Triclinic, RowsOfThinBricks) {
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
TEST(Triclinic, BoxSmallerThanTheRadius) {
  auto const fcc = box_type::of_edges({0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0});
  expect_list_of_one_process(cell{"fcc", fcc, 1.25, {{{0, 0, 0}}}});
  expect_list_of_one_process(make_cell("few", box_type::triclinic({0, 0, 0}, {1, 2, 1}, {.xy = 1.5}), 2.2, 9, 3));
}

// Far out along an open direction coordinates are rounded more than anywhere in the box.
TEST(Triclinic, FarAlongAnOpenDirection) {
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
TEST(Triclinic, SameListHoweverTheBoxIsGiven) {
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

TEST(Triclinic, OwnersAndBricksAgree) {
  for (auto const& box : {box_type::triclinic({0, 1, -2}, {9, 9, 8}, {.xy = 7, .xz = -12, .yz = 5}),
                          box_type::of_edges({0, 6, 7}, {-9, 1, 3}, {2, 2, -8})}) {
    mpi::domain<double> const parts(world(), box);
    auto const bricks = parts.bricks();
    random_numbers random{5};
    for (int i = 0; i < 500; ++i) {
      host_vector x = box.origin();
      for (int k = 0; k < 3; ++k) {
        double const f = random.uniform();
        for (int d = 0; d < 3; ++d) x[d] += f * box.edge(k)[d];
      }
      x = box.wrap(x);
      auto const at = box.upright(x);
      int holders = 0;
      for (int r = 0; r < world().size(); ++r) {
        auto const& b = bricks[static_cast<std::size_t>(r)];
        bool in = true;
        for (int d = 0; d < 3; ++d) in = in && at[d] >= b.lo[d] && at[d] < b.hi[d];
        if (!in) continue;
        ++holders;
        EXPECT_EQ(parts.owner(x[0], x[1], x[2]), r);
      }
      EXPECT_EQ(holders, 1);
    }
  }
}

// A grid has thin bricks where the box is high, not where its edge is long.
TEST(Triclinic, GridOfFewestGhosts) {
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
