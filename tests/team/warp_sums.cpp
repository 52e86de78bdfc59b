// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The sums of a team's warps, for each number of warps and operands in order, against a sequential scan.

#include "every_size.hpp"

#include <upsweep/team/internal/warp_sums.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>

#include <cstdint>
#include <utility>

namespace {

using namespace team_tests;
using upsweep::internal::fold_warps;
using upsweep::internal::scan_warp;
using upsweep::team::testing::lockstep_lanes;

/// What a thread has found.
template <class T>
struct found {
  T in_warp;               ///< scan_warp
  T before, total;         ///< of warps, by lanes
  T folded, folded_total;  ///< the same by fold_warps
  T behind;                ///< the fold behind a value
};

/// Everything that warp_sums.hpp has, for a team that has a value per thread. The scratch reports reads of what other
/// warps write without a barrier between.
template <class Lanes, int Warps, class Monoid, class T = typename Monoid::value_type>
std::vector<found<T>> run_warps(std::vector<T> const& values, T const& first, Monoid const& op) {
  std::vector<found<T>> all(values.size());
  lockstep_team team(Warps);
  lockstep_array<T> scratch(team, static_cast<std::size_t>(Warps));
  int const barriers = team.run(Warps * Lanes::size, [&](lockstep_member const& m) {
    using warp_sums = upsweep::internal::warp_sums<Lanes, Warps>;
    int const warp = m.team_rank() / Lanes::size, lane = m.team_rank() % Lanes::size;
    auto& mine = all[static_cast<std::size_t>(m.team_rank())];
    mine.in_warp = scan_warp<Lanes>(op, values[static_cast<std::size_t>(m.team_rank())], scratch.data(), warp, lane);
    m.team_barrier();
    T const sums = warp_sums::scan(op, lane < Warps ? scratch.data()[lane] : op.identity(), lane);
    mine.before = warp_sums::before(sums, warp);
    mine.total = warp_sums::total(sums);
    mine.folded = fold_warps(op, scratch.data(), warp, Warps, mine.folded_total);
    mine.behind = fold_warps(op, first, scratch.data(), warp);
  });
  EXPECT_EQ(barriers, 1);
  return all;
}

template <class Lanes, int Warps, class Monoid, class T = typename Monoid::value_type>
void check_warps(std::vector<T> const& values, T const& first, Monoid const& op) {
  auto const all = run_warps<Lanes, Warps>(values, first, op);
  T before_warp = op.identity(), in_warp = op.identity(), total = op.identity();
  for (auto const& value : values) total = op(total, value);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k % Lanes::size == 0) {
      before_warp = op(before_warp, in_warp);
      in_warp = op.identity();
    }
    in_warp = op(in_warp, values[k]);
    ASSERT_TRUE(all[k].in_warp == in_warp) << "thread " << k;
    bool const is_first = k < Lanes::size;
    ASSERT_TRUE(is_first || all[k].before == before_warp) << "thread " << k;
    ASSERT_TRUE(all[k].total == total) << "thread " << k;
    ASSERT_TRUE(all[k].folded == before_warp) << "thread " << k;
    ASSERT_TRUE(all[k].folded_total == total) << "thread " << k;
    ASSERT_TRUE(all[k].behind == op(first, before_warp)) << "thread " << k;
  }
}

/// check(number of warps, as a constant) for each number of warps in a team of up to 1024 threads.
template <class Lanes, class Check>
void for_each_number_of_warps(Check const& check) {
  [&]<int... Below>(std::integer_sequence<int, Below...>) {
    (
        [&] {
          SCOPED_TRACE(testing::Message() << Below + 1 << " warps of " << Lanes::size);
          check(std::integral_constant<int, Below + 1>{});
        }(),
        ...);
  }(std::make_integer_sequence<int, 1024 / Lanes::size>{});
}

template <class Lanes>
struct warp_sums : testing::Test {};
using widths = testing::Types<lockstep_lanes<32>, lockstep_lanes<64>>;
TYPED_TEST_SUITE(warp_sums, widths);

// Thread k has the run [k + 1, k + 2); only neighbours combine.
TYPED_TEST(warp_sums, only_neighbours_are_combined) {
  for_each_number_of_warps<TypeParam>([](auto warps) {
    std::vector<oracle::run> values;
    for (int k = 1; k <= warps * TypeParam::size; ++k) values.push_back({k, k + 1});
    check_warps<TypeParam, warps>(values, oracle::run{0, 1}, oracle::adjacent_only{});
  });
}

TYPED_TEST(warp_sums, matrices) {
  oracle::matrix_product const op;
  for_each_number_of_warps<TypeParam>([&](auto warps) {
    std::vector<oracle::matrix> values;
    for (int k = 0; k < warps * TypeParam::size; ++k) values.push_back(op.lift(7 * k));
    check_warps<TypeParam, warps>(values, op.lift(5), op);
  });
}

// The state of a team scan may be longer than a word of the hardware.
TYPED_TEST(warp_sums, states_of_48_bytes) {
  oracle::affine_triples const op;
  std::vector<oracle::affine_triple> values;
  for (std::uint64_t k = 0; k < 5 * TypeParam::size; ++k) values.push_back(op.lift(oracle::affine{2 * k + 1, k}));
  check_warps<TypeParam, 5>(values, op.lift(oracle::affine{3, 4}), op);
}

TEST(warp_sums, a_missing_barrier_is_reported) {
  upsweep::plus<int> const op;
  lockstep_team team(3);
  lockstep_array<int> scratch(team, 2);
  EXPECT_THROW(team.run(64,
                        [&](lockstep_member const& m) {
                          using lanes = lockstep_lanes<32>;
                          int const warp = m.team_rank() / 32, lane = m.team_rank() % 32;
                          scan_warp<lanes>(op, 1, scratch.data(), warp, lane);
                          fold_warps(op, 0, scratch.data(), 2);
                        }),
               lockstep_error);
}

}  // namespace
