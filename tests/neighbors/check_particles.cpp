// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "lists.hpp"

#include <upsweep/neighbors/detail/grid/check_particles.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

namespace {

using namespace upsweep::neighbors::detail;
using box = upsweep::box<double>;
using summary = particle_summary<double>;
using host = Kokkos::DefaultHostExecutionSpace;  // whose particles are in plain arrays, on machines with GPUs, too

void expect_same(summary const& found, summary const& expected) {
  EXPECT_EQ(found.bad, expected.bad);
  EXPECT_EQ(found.last_radius_bin, expected.last_radius_bin);
  for (int d = 0; d < 3; ++d) {
    EXPECT_EQ(found.range.lo[d], expected.range.lo[d]) << d;
    EXPECT_EQ(found.range.hi[d], expected.range.hi[d]) << d;
  }
}

// GPUs load particles before they look at them; CPUs take blocks, and GPUs' lists of few particles one after the other.
TEST(check_particles, loaded_ones_have_the_summary_of_blocks) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-1, 5);
  constexpr std::size_t n = 1000;
  std::vector<double> radii(n);
  std::vector<upsweep::image> images(n);
  Kokkos::View<double* [3], Kokkos::LayoutRight, Kokkos::HostSpace> const x("x", n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int d = 0; d < 3; ++d) x(i, d) = place(random);
    radii[i] = 0.5 + 0.001 * static_cast<double>(i);
    if (i >= 300) images[i] = upsweep::image(1, 0, -1);
  }
  std::size_t good = 0;
  for (box const& sim_box :
       {box({-1, -1, -1}, {5, 5, 5}, {false, true, false}), box({0, 0, 0}, {4, 4, 4}, {true, true, true}),
        box({0, 0, 0}, {4, 4, 4}, {true, true, false}),
        box::triclinic({-1, -1, -1}, {5, 5, 5}, {.xy = 1}, {true, true, true})})
    for (upsweep::image const* of_particle : {static_cast<upsweep::image*>(nullptr), images.data()})
      for (double const* radius : {static_cast<double*>(nullptr), radii.data()})
        for (std::int64_t rows : {0, 300, 400}) {
          auto const positions = make_positions(x);
          using positions_type = std::remove_const_t<decltype(positions)>;
          bad_particle<positions_type, double> const bad{positions, sim_box, of_particle, rows};
          bin_of_radius const bin_of{radius_bins(3.0), radius};
          loaded_particle_monoid<positions_type, double> const monoid{{}, {bad, bin_of, n}};
          auto const loaded =
              upsweep::reduce<summary>(host{}, n, load_particle<positions_type, double>{positions}, monoid);
          summarize_block<positions_type, double, 1> const alone{bad, bin_of, n};
          expect_same(loaded, upsweep::reduce(host{}, n, alone, particle_summary_monoid<double>{}));
          summarize_block<positions_type, double, 32> const block{bad, bin_of, n};
          auto const of_blocks = upsweep::reduce(host{}, block.blocks(), block, particle_summary_monoid<double>{});
          EXPECT_EQ(loaded.bad, of_blocks.bad);
          EXPECT_EQ(loaded.last_radius_bin, of_blocks.last_radius_bin);
          EXPECT_EQ(loaded.last_radius_bin < 0, radius == nullptr);
          if (loaded.bad == 0) ++good;
        }
  EXPECT_GT(good, 0u);
  EXPECT_LT(good, 48u);
}

}  // namespace
