// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The choice of the nearest hits of a row by the lanes of a warp, on a CPU with lockstep lanes, against a sort.

#include "random_hits.hpp"

#include <upsweep/neighbors/detail/masks/gpu/nearest_in_warp.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_member.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

using oracle::distances;
using oracle::hits_of_row;
using oracle::names;
using oracle::random_row;
using upsweep::image;
using upsweep::team::testing::lockstep_lanes;
using upsweep::team::testing::lockstep_member;
using upsweep::team::testing::lockstep_team;
namespace detail = upsweep::neighbors::detail;

template <class Real, int Items, class Lanes>
void compare(lockstep_team& team, hits_of_row<Real> const& row, int wanted, Real cutoff_squared) {
  auto const n = static_cast<int>(row.hits.size());
  auto const rules = row.rules();
  std::vector<char> is_chosen(row.hits.size(), 0);
  bool has_others = false;
  team.run(Lanes::size, [&](lockstep_member const& m) {
    int const lane = m.team_rank();
    auto const hit_of = [&](int k) { return row.hits.at(static_cast<std::size_t>(k)); };
    std::uint32_t const items =
        detail::nearest_in_warp<Real, Items, Lanes>::choose({rules}, hit_of, n, wanted, cutoff_squared, lane);
    for (int r = 0; r < 32; ++r) {
      if ((items >> r & 1) == 0) continue;
      int const k = r * Lanes::size + lane;
      if (r < Items && k < n) is_chosen[static_cast<std::size_t>(k)] = 1;
      else has_others = true;
    }
  });
  EXPECT_FALSE(has_others);
  auto const expected = row.nearest(static_cast<std::size_t>(wanted));
  auto const last = row.key(expected.back());
  for (std::size_t k = 0; k < row.hits.size(); ++k)
    ASSERT_EQ(is_chosen[k] != 0, row.key(row.hits[k]) <= last) << "hit " << k << ", " << wanted << " of " << n;
}

template <class Real, class Lanes>
void compare_with_a_sort() {
  std::mt19937_64 random(1);
  lockstep_team team;
  for (auto const how : {distances::spread, distances::near_ties, distances::few_values, distances::all_zero,
                         distances::tiny, distances::at_the_cutoff})
    for (auto const by : {names::indices, names::ids, names::few_ids, names::far_apart}) {
      SCOPED_TRACE(testing::Message() << "distances " << int(how) << ", names " << int(by));
      for (int const n : {2, 33, 79, 128})
        for (int const wanted : {1, 8, 31, 32, n - 1}) {
          if (wanted >= n) continue;
          ASSERT_NO_FATAL_FAILURE(
              (compare<Real, 4, Lanes>(team, random_row<Real>(n, how, by, random), wanted, Real(6.25))));
        }
      for (int const n : {129, 256})
        ASSERT_NO_FATAL_FAILURE(
            (compare<Real, 8, Lanes>(team, random_row<Real>(n, how, by, random), n / 2, Real(6.25))));
    }
}

TEST(lockstep_nearest, as_a_sort_has_them_in_double) { compare_with_a_sort<double, lockstep_lanes<32>>(); }
TEST(lockstep_nearest, as_a_sort_has_them_in_float) { compare_with_a_sort<float, lockstep_lanes<32>>(); }
TEST(lockstep_nearest, of_wavefronts) { compare_with_a_sort<double, lockstep_lanes<64>>(); }

TEST(lockstep_nearest, of_the_smallest_and_the_largest_cutoffs) {
  lockstep_team team;
  for (double const cutoff_squared : {std::numeric_limits<double>::min(), 1e-300, 1e300}) {
    hits_of_row<double> row;
    for (int k = 0; k < 120; ++k) {
      row.order.push_back(k);
      row.hits.push_back({cutoff_squared * (k % 50) / 50, k, image(0, 0, 0)});
    }
    for (int const wanted : {1, 40, 119})
      ASSERT_NO_FATAL_FAILURE((compare<double, 4, lockstep_lanes<32>>(team, row, wanted, cutoff_squared)));
  }
}

}  // namespace
