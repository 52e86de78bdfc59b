// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What is refused in triclinic boxes, on all ranks alike.

#include "cells.hpp"

#include <upsweep/base/error.hpp>

#include <limits>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;
using box_type = upsweep::box<double>;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct bad_position {
  point at;
  char const* reason;
};

/// Migration and bisection name rank and particle, and leave all as it was.
void expect_refusal(box_type const& box, bad_position const& bad) {
  auto const& comm = world();
  auto const parts = has_grid(box)
                         ? mpi::domain<double>(comm, box)
                         : mpi::bisect(comm, space_type(), box, to_positions(std::vector<point>{{{1, 2, 3}}}));
  int const culprit = comm.size() - 1;
  auto const inside = box.origin();
  std::vector<point> points(20, point{{inside[0], inside[1], inside[2]}});
  if (comm.rank() == culprit) points[13] = bad.at;
  auto positions = to_positions(points);
  auto const expect = [&](char const* call, std::string const& text) {
    EXPECT_EQ(text.rfind("rank " + std::to_string(culprit) + ": " + call + ": particle 13 at (", 0), 0u) << text;
    EXPECT_NE(text.find(bad.reason), std::string::npos) << text;
  };
  expect("mpi::migrate",
         message_of<upsweep::precondition_error>([&] { mpi::migrate(comm, space_type(), parts, positions); }));
  expect("mpi::bisect",
         message_of<upsweep::precondition_error>([&] { mpi::bisect(comm, space_type(), box, positions); }));
  EXPECT_EQ(positions.extent(0), 20u);
}

}  // namespace

TEST(triclinic_errors, bad_positions) {
  auto const tilted = box_type::triclinic({0, 0, 0}, {10, 10, 10}, {.xy = 4, .yz = -3}, {true, false, true});
  auto const slab = box_type::of_edges({0, 5, 5}, {5, 0, 5}, {0, 0, 0}, {true, true, false});
  auto const open = box_type::of_edges({0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {false, false, false});
  for (auto const& box : {tilted, slab, open}) {
    expect_refusal(box, {{{not_a_number, 1, 1}}, "is not finite"});
    expect_refusal(box, {{{1, 1, -std::numeric_limits<double>::infinity()}}, "is not finite"});
  }
  expect_refusal(tilted, {{{1, 10.5, 0}}, "is outside of the box in the open direction y"});
  expect_refusal(tilted, {{{1e12, 1, 1}}, "is more than 1073741824 edges away in the periodic direction x"});
  expect_refusal(slab, {{{1e300, 1, 1}}, "that rounding has lost its place in the box"});
}

TEST(triclinic_errors, halo_of_particles_elsewhere) {
  auto const& comm = world();
  auto const box = box_type::triclinic({0, 0, 0}, {10, 10, 10}, {.xy = 4, .yz = -3});
  mpi::domain<double> const parts(comm, box, {1, 1, comm.size()});
  mpi::halo<space_type, double> halo;
  // Not wrapped, not a number, and the next rank's.
  std::vector<point> all{{{1, 1, -0.5}}, {{1, not_a_number, 0.5}}};
  if (comm.size() > 1) all.push_back({{1, 1, 9.5}});
  for (auto const& astray : all) {
    auto const positions =
        to_positions(comm.rank() == 0 ? std::vector<point>{{{1, 1, 0.5}}, astray} : std::vector<point>{});
    auto const text =
        message_of<upsweep::precondition_error>([&] { halo.build(comm, space_type(), parts, positions, 1.0); });
    EXPECT_EQ(text.rfind("rank 0: mpi::halo::build: particle 1 at (1, ", 0), 0u) << text;
    EXPECT_NE(text.find("is not in this rank's brick; migrate first"), std::string::npos) << text;
    EXPECT_EQ(halo.owned() + halo.ghosts(), 0u);
  }
}

// In a box without borders ranks agree twice; an error is one on all ranks there, too, and the halo works afterwards.
TEST(triclinic_errors, halo_of_a_box_without_borders) {
  auto const& comm = world();
  auto const box = box_type::of_edges({6, 1, 2}, {-1, 5, 3}, {0, 0, 0}, {true, true, false});
  mpi::domain<double> const parts(comm, box);
  mpi::halo<space_type, double> halo;
  auto const good = to_positions({});
  auto const bad = to_positions(std::vector<point>{{{not_a_number, 0, 0}}});
  auto const text = message_of<upsweep::precondition_error>(
      [&] { halo.build(comm, space_type(), parts, comm.rank() == comm.size() - 1 ? bad : good, 1.0); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": mpi::halo::build: particle 0 at (nan, ", 0), 0u)
      << text;
  if (comm.size() > 1) {
    mpi::domain<double> const other(comm, box_type({0, 0, 0}, {9, 9, 9}));
    EXPECT_THROW(halo.build(comm, space_type(), comm.rank() == 0 ? other : parts, good, 1.0),
                 upsweep::precondition_error);
  }
  halo.build(comm, space_type(), parts, good, 1.0);
  EXPECT_EQ(halo.owned() + halo.ghosts(), 0u);
}

TEST(triclinic_errors, radius_of_too_many_images) {
  auto const& comm = world();
  auto const box = box_type::triclinic({0, 0, 0}, {10, 10, 10}, {.xy = 75});
  mpi::domain<double> const parts(comm, box);
  mpi::halo<space_type, double> halo;
  auto const text =
      message_of<upsweep::precondition_error>([&] { halo.build(comm, space_type(), parts, to_positions({}), 1000.0); });
  EXPECT_EQ(text.rfind("rank 0: mpi::halo::build: radius = 1000 is more than 509 heights of the box in direction x, "
                       "which is 1.3",
                       0),
            0u)
      << text;
  EXPECT_THROW(halo.build(comm, space_type(), parts, to_positions({}), -1.0), upsweep::precondition_error);
}

TEST(triclinic_errors, grids_of_directions_without_borders) {
  auto const refusal = [](box_type const& box, mpi::rank_grid const& grid) {
    return message_of<upsweep::precondition_error>([&] { mpi::domain<double> const parts(world(), box, grid); });
  };
  int const ranks = world().size();
  if (ranks == 1) return;
  auto const slab = box_type::of_edges({0, 5, 5}, {5, 0, 5}, {0, 0, 0}, {true, true, false});
  EXPECT_EQ(refusal(slab, {1, 1, ranks}), "mpi::domain: the box has no borders in its open direction c, and so no " +
                                              std::to_string(ranks) +
                                              " equal bricks; mpi::bisect cuts it where particles are");
  EXPECT_EQ(mpi::domain<double>(world(), slab).grid()[2], 1);
  auto const open = box_type::of_edges({0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {false, false, false});
  EXPECT_EQ(refusal(open, {0, 0, 0}), "mpi::domain: the box has no borders, and so no " + std::to_string(ranks) +
                                          " equal bricks; mpi::bisect cuts it where particles are");
  auto const sheared = box_type::triclinic({0, 0, 0}, {10, 10, 10}, {.xy = world().rank() == 1 ? 1.0 : 2.0});
  EXPECT_THROW(mpi::domain<double>(world(), sheared), upsweep::precondition_error);
}
