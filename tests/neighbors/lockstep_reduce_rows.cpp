// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernel of GPUs behind reduce_rows, on a CPU: with lockstep lanes, for warps of 32 and wavefronts of 64.

#include "../oracle/monoids.hpp"

#include <upsweep/neighbors/detail/loops/row_reduction.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

namespace loops = upsweep::neighbors::detail;
using upsweep::team::testing::lockstep_lanes;
using upsweep::team::testing::lockstep_league;
using upsweep::team::testing::lockstep_league_member;

/// Each neighbour stands for a map. The sum of a row is the composition of its maps: another order gives another sum.
struct compose {
  void operator()(std::int64_t i, int j, oracle::affine& sum) const { sum = oracle::affine_maps{}(sum, of(i, j)); }
  static oracle::affine of(std::int64_t i, int j) {
    return {static_cast<std::uint32_t>(2 * j + 3), static_cast<std::uint32_t>(7 * i + j)};
  }
};

struct store_once {
  oracle::affine* sums;
  int* calls;
  void operator()(std::int64_t i, oracle::affine const& sum) const {
    sums[i] = sum;
    ++calls[i];
  }
};

template <class Lanes>
void check() {
  std::vector<std::size_t> offsets{0};
  std::vector<int> neighbors;
  for (int const n : {0, 1, 7, 8, 9, 0, 15, 16, 17, 78, 2, 300, 5, 0, 64, 3, 8, 1, 0}) {
    for (int k = 0; k < n; ++k) neighbors.push_back((13 * k + n) % 101);
    offsets.push_back(neighbors.size());
  }
  std::size_t const rows = offsets.size() - 1;
  std::vector<oracle::affine> sums(rows);
  std::vector<int> calls(rows);
  using rows_type = upsweep::neighbor_rows<>;
  using loop = loops::row_loop<oracle::affine_maps, rows_type, compose, store_once>;
  using kernel = loops::reduce_row_by_warp_lanes<loop, Lanes>;
  kernel const k{{rows_type{offsets.data(), neighbors.data(), nullptr, rows}, {}, {sums.data(), calls.data()}, {}}};
  ASSERT_NE(rows % kernel::rows_per_team, 0u);
  lockstep_league league(1);
  league.run(static_cast<int>(rows / kernel::rows_per_team + 1), kernel::team_size,
             [&](lockstep_league_member const& m) { k(m); });
  // And a second time those of some rows, in another order.
  std::vector<std::size_t> const chosen{17, 3, 4, 0, 9, 12};
  using chosen_loop = loops::row_loop<oracle::affine_maps, upsweep::chosen_rows<>, compose, store_once>;
  loops::reduce_row_by_warp_lanes<chosen_loop, Lanes> const again{
      {{k.loop.rows, chosen.data(), chosen.size()}, {}, {sums.data(), calls.data()}, {}}};
  league.run(1, kernel::team_size, [&](lockstep_league_member const& m) { again(m); });
  oracle::affine_maps const op;
  for (std::size_t i = 0; i < rows; ++i) {
    EXPECT_EQ(calls[i], 1 + std::count(chosen.begin(), chosen.end(), i)) << "row " << i;
    auto expected = op.identity();
    for (std::size_t lane = 0; lane < kernel::lanes; ++lane) {
      auto of_lane = op.identity();
      for (std::size_t e = offsets[i] + lane; e < offsets[i + 1]; e += kernel::lanes)
        compose{}(static_cast<std::int64_t>(i), neighbors[e], of_lane);
      expected = op(expected, of_lane);
    }
    EXPECT_EQ(sums[i], expected) << "row " << i;
  }
}

TEST(lockstep_reduce_rows, each_row_once_lanes_in_order) {
  check<lockstep_lanes<32>>();
  check<lockstep_lanes<64>>();
}

}  // namespace
