// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "every_size.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/team/kogge_stone.hpp>
#include <upsweep/team/kogge_stone_double_buffered.hpp>
#include <upsweep/team/sequential.hpp>
#include <upsweep/team/shuffle.hpp>

#include <string>
#include <type_traits>

namespace {

using namespace team_tests;
using upsweep::team::kogge_stone;
using upsweep::team::kogge_stone_double_buffered;
using upsweep::team::sequential;
using upsweep::team::shuffle;

template <class Algorithm>
struct team_scan : testing::Test {};

using algorithms =
    testing::Types<sequential, kogge_stone, kogge_stone_double_buffered, brent_kung, brent_kung_out_of_place,
                   brent_kung_k_ary<2>, brent_kung_k_ary<3>, brent_kung_k_ary<8>, blelloch, shuffle>;
struct names {
  template <class Algorithm>
  static std::string GetName(int i) {
    char const* const all[] = {"sequential",
                               "kogge_stone",
                               "kogge_stone_double_buffered",
                               "brent_kung",
                               "brent_kung_out_of_place",
                               "brent_kung_2_ary",
                               "brent_kung_3_ary",
                               "brent_kung_8_ary",
                               "blelloch",
                               "shuffle"};
    return all[i];
  }
};
TYPED_TEST_SUITE(team_scan, algorithms, names);

TYPED_TEST(team_scan, traces_of_the_sources) {
  lockstep_team team;
  auto const got = scan<TypeParam>(team, {3, 1, 7, 0, 4, 1, 6, 3}, upsweep::plus<int>{});
  EXPECT_EQ(got.inclusive, (std::vector<int>{3, 4, 11, 11, 15, 16, 22, 25}));
  EXPECT_EQ(got.exclusive, (std::vector<int>{0, 3, 4, 11, 11, 15, 16, 22}));
  EXPECT_EQ(got.total, std::vector<int>(8, 25));
  auto const sandwich = scan<TypeParam>(team, {3, 5, 2, 7, 28, 4, 3, 0, 8, 1}, upsweep::plus<int>{});
  EXPECT_EQ(sandwich.inclusive, (std::vector<int>{3, 8, 10, 17, 45, 49, 52, 52, 60, 61}));
}

TYPED_TEST(team_scan, every_team_size_keeps_the_order) {
  lockstep_team team(2026);
  // Two of them run here what another runs anyway.
  int const step = std::is_same_v<TypeParam, shuffle> || std::is_same_v<TypeParam, brent_kung_k_ary<2>> ? 31 : 1;
  for (int size = 1; size <= 1024; size += step) {
    expect_scans<TypeParam>(team, unit_runs(size), oracle::adjacent_only{});
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(team_scan, matrices) {
  oracle::matrix_product const op;
  for (int size : {1, 2, 3, 5, 31, 32, 33, 64, 100, 257}) {
    lockstep_team team(static_cast<std::uint64_t>(size));
    std::vector<oracle::matrix> values;
    for (int r = 0; r < size; ++r) values.push_back(op.lift(r));
    expect_scans<TypeParam>(team, values, op);
  }
}

}  // namespace
