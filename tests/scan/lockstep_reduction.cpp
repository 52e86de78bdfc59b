// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The reduction of GPUs, whole, on a CPU: its kernel with lockstep lanes, for warps of 32, for wavefronts of 64, and
// for single threads.

#include "lockstep.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/reduce/reduction_kernel.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace {

using namespace lockstep;

template <class In, class Monoid>
using problem = scan_problem<In, no_output<typename Monoid::value_type>, Monoid, false>;

/// Runs the teams one after the other, in an order.
template <class Lanes, class Shape>
struct machine {
  std::uint64_t arrived = 0;
  lockstep_league league{4096, 1};

  template <class In, class Monoid>
  typename Monoid::value_type reduce(In const& in, std::size_t n, Monoid const& op, std::mt19937* order = nullptr) {
    using state = typename Monoid::value_type;
    using kernel = reduction_kernel<problem<In, Monoid>, Shape, Lanes>;
    state total{};
    problem<In, Monoid> const p{in, {}, op, {op.identity()}, n, {&total}};
    typename kernel::cut_type const cut(n);
    EXPECT_LE(cut.tiles, 2 * Shape::tiles);
    std::vector<state> of_tile(cut.tiles);
    kernel const k{p, cut, kernel::tile::goes_by_chunks(p), of_tile.data(), &arrived};
    std::vector<int> turns(cut.tiles);
    std::iota(turns.begin(), turns.end(), 0);
    if (order != nullptr) std::shuffle(turns.begin(), turns.end(), *order);
    for (int team : turns)
      league.run_team(team, static_cast<int>(cut.tiles), kernel::team_size,
                      [&](lockstep_league_member const& m) { k(typename kernel::scan{}, m); });
    EXPECT_EQ(arrived, 0u) << "the next call's teams could not be counted";
    return total;
  }
};

/// By one team of warps.
template <class Lanes, class Shape, class In, class Monoid>
typename Monoid::value_type reduce_by_one_team(In const& in, std::size_t n, Monoid const& op) {
  using state = typename Monoid::value_type;
  using kernel = short_reduction_kernel<problem<In, Monoid>, Shape, Lanes>;
  state total{};
  kernel const k(problem<In, Monoid>{in, {}, op, {op.identity()}, n, {&total}});
  lockstep_league league{4096, 1};
  league.run_team(0, 1, kernel::team_size, [&](lockstep_league_member const& m) { k(typename kernel::scan{}, m); });
  return total;
}

using few_rows = upsweep::engine::reduction_shape<2, 32, 1, 1, 5, 4>;
using many_rows = upsweep::engine::reduction_shape<3, 112, 1, 2, 3, 30>;  // batches of seven rows, and a few more

template <class Configuration>
struct lockstep_reduction : testing::Test {
  using monoid = typename Configuration::monoid;
  using T = typename monoid::value_type;

  template <class Shape>
  void check() {
    machine<typename Configuration::lanes, Shape> m;
    monoid const op;
    std::mt19937 order(1);
    using kernel =
        reduction_kernel<problem<contiguous_sequence<T const>, monoid>, Shape, typename Configuration::lanes>;
    std::size_t const row = kernel::row_elements, batch = kernel::tile::warp_elements, warps = kernel::warps;
    for (std::size_t n :
         {std::size_t(1), row - 1, row + 1, warps * row * Shape::least_rows, warps * batch, warps * batch + 1,
          Shape::tiles * warps * batch, Shape::tiles * warps * (3 * batch + row) - 3}) {
      if (n == 0) continue;
      auto values = exact_values<T>(n + 1);
      T const expected = std::accumulate(values.begin(), values.end() - 1, op.identity(), op);
      T const behind_first = std::accumulate(values.begin() + 1, values.end(), op.identity(), op);
      SCOPED_TRACE(testing::Message() << "n = " << n);
      ASSERT_TRUE(m.reduce(contiguous_sequence<T const>{values.data()}, n, op) == expected);
      ASSERT_TRUE(m.reduce(contiguous_sequence<T const>{values.data()}, n, op, &order) == expected) << "in any order";
      ASSERT_TRUE(m.reduce(contiguous_sequence<T const>{values.data() + 1}, n, op, &order) == behind_first)
          << "not aligned";
      ASSERT_TRUE(m.reduce(functor_sequence<value_at<T>>{{values.data()}}, n, op) == expected) << "of a functor";
    }
  }
};

#ifdef UPSWEEP_TEST_EVERY_TYPE
using configurations =
    testing::Types<configuration<warps, oracle::affine_maps>, configuration<warps, upsweep::plus<std::int32_t>>,
                   configuration<wavefronts, upsweep::plus<double>>, configuration<wavefronts, oracle::affine_maps>,
                   configuration<one_lane, oracle::affine_maps>, configuration<warps, oracle::affine_triples>,
                   configuration<wavefronts, oracle::affine_triple_sums>>;
#else
// Without <warps, affine_maps>, which one lane and wavefronts have.
using configurations =
    testing::Types<configuration<warps, upsweep::plus<std::int32_t>>, configuration<wavefronts, upsweep::plus<double>>,
                   configuration<wavefronts, oracle::affine_maps>, configuration<one_lane, oracle::affine_maps>,
                   configuration<warps, oracle::affine_triples>, configuration<wavefronts, oracle::affine_triple_sums>>;
#endif
TYPED_TEST_SUITE(lockstep_reduction, configurations);

TYPED_TEST(lockstep_reduction, short_stretches) { this->template check<few_rows>(); }
TYPED_TEST(lockstep_reduction, batches_of_rows) { this->template check<many_rows>(); }

TYPED_TEST(lockstep_reduction, of_few_elements) {
  using lanes = typename TypeParam::lanes;
  using monoid = typename TypeParam::monoid;
  using T = typename monoid::value_type;
  if constexpr (lanes::size > 1) {
    using shape = upsweep::engine::striped_shape<4, 32, 1>;
    monoid const op;
    for (std::size_t n : {1u, 2u, 7u, 31u, 65u, 127u, 513u, 1023u, 1024u, 1025u, 5000u}) {
      auto values = exact_values<T>(n + 1);
      T const expected = std::accumulate(values.begin(), values.end() - 1, op.identity(), op);
      T const behind_first = std::accumulate(values.begin() + 1, values.end(), op.identity(), op);
      SCOPED_TRACE(testing::Message() << "n = " << n);
      ASSERT_TRUE((reduce_by_one_team<lanes, shape>(contiguous_sequence<T const>{values.data()}, n, op) == expected));
      ASSERT_TRUE(
          (reduce_by_one_team<lanes, shape>(contiguous_sequence<T const>{values.data() + 1}, n, op) == behind_first))
          << "not aligned";
      ASSERT_TRUE((reduce_by_one_team<lanes, shape>(functor_sequence<value_at<T>>{{values.data()}}, n, op) == expected))
          << "of a functor";
    }
  }
}

// Wide states of elements that are not wide: as they come, elements of a lane are loaded together and then lifted.
TEST(lockstep_reduction_of_wide_states, lifts_elements) {
  using kernel =
      reduction_kernel<problem<contiguous_sequence<oracle::affine const>, oracle::affine_triples>, many_rows, warps>;
  static_assert(kernel::is_wide && kernel::tile::together > 1 && !kernel::tile::in_any_order);
  machine<warps, many_rows> m;
  oracle::affine_triples const op;
  for (std::size_t n : {1u, 31u, 33u, 257u, 3000u, 50001u}) {
    auto const values = exact_values<oracle::affine>(n);
    auto const expected =
        op.lift(std::accumulate(values.begin(), values.end(), oracle::affine{1, 0}, oracle::affine_maps{}));
    EXPECT_TRUE(m.reduce(contiguous_sequence<oracle::affine const>{values.data()}, n, op) == expected) << n;
  }
}

// Rounded sums have the same bits for any order of the teams. It makes no difference whether elements are loaded in
// chunks or alone.
TEST(lockstep_reduction_bits, are_the_same_in_any_order) {
  using op = upsweep::plus<double>;
  std::mt19937 random(3);
  std::vector<double> values(40000), moved(values.size() + 1);
  for (double& x : values) x = std::uniform_real_distribution<double>(-1, 1)(random);
  std::copy(values.begin(), values.end(), moved.begin() + 1);
  machine<warps, many_rows> m;
  double const alone = m.reduce(contiguous_sequence<double const>{values.data()}, values.size(), op{});
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(m.reduce(contiguous_sequence<double const>{values.data()}, values.size(), op{}, &random), alone);
    EXPECT_EQ(m.reduce(contiguous_sequence<double const>{moved.data() + 1}, values.size(), op{}, &random), alone);
  }
  EXPECT_NE(std::accumulate(values.begin(), values.end(), 0.0), alone)
      << "the values are to be such that the association matters";
  using shape = upsweep::engine::striped_shape<8, 64, 1>;
  EXPECT_EQ((reduce_by_one_team<warps, shape>(contiguous_sequence<double const>{values.data()}, 3001, op{})),
            (reduce_by_one_team<warps, shape>(contiguous_sequence<double const>{moved.data() + 1}, 3001, op{})));
}

// No device is given more states to fold at the end than it was said to have room for, and every element is in a tile.
TEST(reduction_cut, tiles_cover_the_input) {
  using tile = striped_tile<problem<contiguous_sequence<double const>, upsweep::plus<double>>, many_rows, warps>;
  using cut = reduction_cut<tile, many_rows>;
  for (std::size_t n = 1; n < 100000; n += 1 + n / 50) {
    cut const c(n);
    std::size_t const tile_elements = c.rows_of_warp * many_rows::warps * cut::row_elements;
    ASSERT_LE(c.tiles, (c.rows_of_warp < many_rows::long_stretch / 2 ? 1 : 2) * many_rows::tiles) << n;
    ASSERT_GE(c.tiles * tile_elements, n);
    ASSERT_LT((c.tiles - 1) * tile_elements, n);
  }
}

}  // namespace
