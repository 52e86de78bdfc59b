// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernel of GPUs behind reduce_rows, on a CPU: with lockstep lanes, for warps of 32 and wavefronts of 64.

#include "../oracle/monoids.hpp"

#include <upsweep/neighbors/detail/loops/row_reduction.hpp>
#include <upsweep/neighbors/pair_index.hpp>
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
  void operator()(std::size_t i, int j, oracle::affine& sum) const { sum = oracle::affine_maps{}(sum, of(i, j)); }
  static oracle::affine of(std::size_t i, int j) {
    return {static_cast<std::uint32_t>(2 * j + 3), static_cast<std::uint32_t>(7 * i + j)};
  }
};

/// The same with a load step, which counts what it loads, and knows neighbours by the numbers of pairs. Its record has
/// no default constructor.
struct load_and_compose {
  static constexpr int indices = 101;
  struct record {
    oracle::affine of;
    explicit record(oracle::affine const& map) : of(map) {}
  };
  int* loads;
  int const* neighbors;
  record load(std::size_t i, int neighbor, upsweep::pair_index k) const {
    int const j = neighbors[k.value];
    // Behind the end of a row, too, index and number are those of one pair.
    if (j != neighbor) ADD_FAILURE() << "number " << k.value << " for neighbour " << neighbor;
    Kokkos::atomic_inc(&loads[i * indices + static_cast<std::size_t>(j)]);
    return record(compose::of(i, j));
  }
  void operator()(std::size_t, int, record const& loaded, oracle::affine& sum) const {
    sum = oracle::affine_maps{}(sum, loaded.of);
  }
};

struct store_once {
  oracle::affine* sums;
  int* calls;
  void operator()(std::size_t i, oracle::affine const& sum) const {
    sums[i] = sum;
    ++calls[i];
  }
};

/// The neighbours of rows of many lengths.
struct long_and_short_rows {
  std::vector<std::size_t> offsets{0};
  std::vector<int> neighbors;

  long_and_short_rows() {
    for (int const n : {0, 1, 7, 8, 9, 0, 15, 16, 17, 78, 2, 300, 5, 0, 64, 3, 8, 1, 24, 25, 0}) {
      for (int k = 0; k < n; ++k) neighbors.push_back((13 * k + n) % load_and_compose::indices);
      offsets.push_back(neighbors.size());
    }
  }
  upsweep::neighbor_rows<> view() const { return {offsets.data(), neighbors.data(), nullptr, offsets.size() - 1}; }
  /// The sum of a row whose neighbours are dealt out to lanes.
  oracle::affine expected(std::size_t i, std::size_t lanes) const {
    oracle::affine_maps const op;
    auto sum = op.identity();
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      auto of_lane = op.identity();
      for (std::size_t e = offsets[i] + lane; e < offsets[i + 1]; e += lanes) compose{}(i, neighbors[e], of_lane);
      sum = op(sum, of_lane);
    }
    return sum;
  }
  /// Whether each neighbour of each row was loaded as often as it is there, and `times` times at least, and no other
  /// particle was: what is loaded ahead stays in the row.
  void check_loads(std::vector<int> const& loads, int times) const {
    std::vector<int> least(loads.size());
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
      for (std::size_t e = offsets[i]; e < offsets[i + 1]; ++e)
        least[i * load_and_compose::indices + static_cast<std::size_t>(neighbors[e])] += times;
    for (std::size_t k = 0; k < loads.size(); ++k) {
      EXPECT_GE(loads[k], least[k]) << k;
      EXPECT_EQ(loads[k] == 0, least[k] == 0) << k;
    }
  }
};

template <class Lanes, class F>
void check(long_and_short_rows const& list, F const& f) {
  auto const all = list.view();
  std::vector<oracle::affine> sums(all.rows);
  std::vector<int> calls(all.rows);
  using loop = loops::row_loop<oracle::affine_maps, upsweep::neighbor_rows<>, F, store_once>;
  using kernel = loops::reduce_row_by_warp_lanes<loop, Lanes>;
  kernel const k{{all, f, {sums.data(), calls.data()}, {}}};
  ASSERT_NE(all.rows % kernel::rows_per_team, 0u);
  lockstep_league league(1);
  league.run(static_cast<int>(all.rows / kernel::rows_per_team + 1), kernel::team_size,
             [&](lockstep_league_member const& m) { k(m); });
  // And a second time those of some rows, in another order.
  std::vector<std::size_t> const chosen{17, 3, 4, 0, 9, 12};
  using chosen_loop = loops::row_loop<oracle::affine_maps, upsweep::chosen_rows<>, F, store_once>;
  loops::reduce_row_by_warp_lanes<chosen_loop, Lanes> const again{
      {{all, chosen.data(), chosen.size()}, f, {sums.data(), calls.data()}, {}}};
  auto const first = sums;
  for (auto const i : chosen) sums[i] = {};
  league.run(1, kernel::team_size, [&](lockstep_league_member const& m) { again(m); });
  for (std::size_t i = 0; i < all.rows; ++i) {
    EXPECT_EQ(calls[i], 1 + std::count(chosen.begin(), chosen.end(), i)) << "row " << i;
    EXPECT_EQ(first[i], list.expected(i, kernel::lanes)) << "row " << i;
    EXPECT_EQ(sums[i], first[i]) << "row " << i;
  }
}

TEST(lockstep_reduce_rows, each_row_once_lanes_in_order) {
  long_and_short_rows const list;
  check<lockstep_lanes<32>>(list, compose{});
  check<lockstep_lanes<64>>(list, compose{});
}

TEST(lockstep_reduce_rows, the_same_with_loads_ahead) {
  long_and_short_rows const list;
  std::vector<int> loads(list.view().rows * load_and_compose::indices);
  check<lockstep_lanes<32>>(list, load_and_compose{loads.data(), list.neighbors.data()});
  check<lockstep_lanes<64>>(list, load_and_compose{loads.data(), list.neighbors.data()});
  list.check_loads(loads, 2);
}

// Behind 16 neighbours here, and 2^30 in a kernel, none are loaded ahead.
TEST(add_neighbors, in_order_behind_the_last_that_is_loaded_ahead) {
  long_and_short_rows const list;
  auto const all = list.view();
  std::vector<int> loads(all.rows * load_and_compose::indices);
  load_and_compose const f{loads.data(), list.neighbors.data()};
  constexpr std::size_t lanes = 4;
  for (std::size_t i = 0; i < all.rows; ++i) {
    auto sum = oracle::affine_maps{}.identity();
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      auto of_lane = oracle::affine_maps{}.identity();
      loops::add_neighbors<16>(f, i, all.run(i), lane, lanes, of_lane);
      sum = oracle::affine_maps{}(sum, of_lane);
    }
    EXPECT_EQ(sum, list.expected(i, lanes)) << "row " << i;
  }
  list.check_loads(loads, 1);
}

TEST(reduce_place, loads_ahead_in_order) {
  long_and_short_rows const list;
  auto const all = list.view();
  std::vector<oracle::affine> sums(all.rows);
  std::vector<int> calls(all.rows), loads(all.rows * load_and_compose::indices);
  using loop = loops::row_loop<oracle::affine_maps, upsweep::neighbor_rows<>, load_and_compose, store_once>;
  loops::reduce_place<loop, true> const k{
      {all, {loads.data(), list.neighbors.data()}, {sums.data(), calls.data()}, {}}};
  for (std::size_t i = 0; i < all.rows; ++i) {
    k(static_cast<std::int64_t>(i));
    EXPECT_EQ(sums[i], list.expected(i, 1)) << "row " << i;
  }
  list.check_loads(loads, 1);
}

}  // namespace
