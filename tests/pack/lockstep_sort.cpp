// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The single-pass sort of GPUs on a CPU: its kernels with lockstep lanes, for each way to hold a tile.

#include "guarded.hpp"
#include "lockstep_scratch.hpp"
#include "sort.hpp"

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/pack/detail/sort/key_order.hpp>
#include <upsweep/pack/detail/sort/sort_digit_counts.hpp>
#include <upsweep/pack/detail/sort/sort_pass.hpp>
#include <upsweep/pack/detail/sort/sort_route.hpp>
#include <upsweep/pack/detail/sort/sort_single_pass.hpp>
#include <upsweep/pack/detail/sort/sort_tuning.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using upsweep::team::testing::lockstep_lanes;
using upsweep::team::testing::lockstep_league;
using upsweep::team::testing::lockstep_league_member;
using namespace upsweep::pack::detail;
using sorted::pattern;
using lanes = lockstep_lanes<32>;

/// Small tiles, and chains of look-back that restart after a few of them.
template <tile_place Held, std::size_t PortionTiles = 3>
struct small_shape : sort_shape<256, 3, 2, Held> {
  static constexpr std::size_t portion_tiles = PortionTiles;
};
constexpr std::size_t tile = small_shape<tile_place::by_sectors>::tile;

/// 12 bytes, which do not go through scratch.
struct record {
  std::uint32_t word[3];
  record() = default;
  explicit record(std::size_t i) : word{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(~i), 7u} {}
  bool operator==(record const&) const = default;
};

/// An array of the CPU, `skew` elements behind an address that is a multiple of a sector's.
template <class T>
using guarded = sorted::guarded<T, Kokkos::HostSpace>;

/// The digits of a tile whose places lie in other parts of sectors than their output, by what a pass left in scratch.
template <class Pass>
int count_unaligned(lockstep_league_member const& before) {
  auto const& s = *static_cast<typename Pass::shared const*>(
      before.team_scratch(0).get_shmem_aligned(sizeof(typename Pass::shared), Pass::alignment));
  return static_cast<int>(std::count_if(std::begin(s.offset), std::end(s.offset),
                                        [](std::ptrdiff_t offset) { return offset % int(Pass::sector) != 0; }));
}

/// A bit for each pass in whose digit keys differ.
template <class Key>
std::uint32_t differing_digits(Key const* keys, std::size_t n, key_order<Key> order, digit_plan const& digits) {
  std::uint32_t differing = 0;
  for (int p = 0; p < digits.passes; ++p) {
    key_digit<Key> const digit{order, digits.shift(p), digits.mask(p)};
    if (std::any_of(keys, keys + n, [&](Key const& key) { return digit(key) != digit(keys[0]); })) differing |= 1u << p;
  }
  return differing;
}

/// What single_pass_sort launches, run here. `at_once` teams of a pass run at the same time.
template <class Key, class Value, class Shape>
void run(sort_route<Key, Value> const& route, std::size_t n, key_order<Key> order, digit_plan const& digits,
         std::uint64_t seed, int at_once) {
  using count_digits = digit_counts_kernel<Key, 256, 2, lanes>;
  using plan = sort_plan_kernel<lanes>;
  using pass = sort_pass_kernel<Key, Value, Shape, lanes>;
  constexpr int radix = digit_plan::largest_radix, count_teams = 2;
  auto const passes = static_cast<std::size_t>(digits.passes);
  std::size_t const tiles = upsweep::internal::divide_up<std::size_t>(n, Shape::tile);
  std::size_t const portions = upsweep::internal::divide_up(tiles, Shape::portion_tiles);
  constexpr std::uint32_t anything = 0xa5a5a5a5u;
  std::vector<std::uint32_t> counts(count_teams * passes * radix, anything), tickets(passes * portions, anything);
  std::vector<std::uint32_t> rows((digit_look_back::rows_in_front + tiles) * radix, anything);
  std::vector<std::uint64_t> starts(passes * (portions + 1) * radix, anything);
  std::uint32_t differs = anything;
  sort_buffers const buffers{counts.data(),
                             starts.data(),
                             &differs,
                             tickets.data(),
                             rows.data() + digit_look_back::rows_in_front * radix,
                             tiles,
                             digits.passes,
                             static_cast<int>(portions),
                             count_teams};

  constexpr std::size_t scratch =
      std::max({sizeof(typename count_digits::shared) + count_digits::alignment,
                sizeof(typename plan::shared) + plan::alignment, sizeof(typename pass::shared) + pass::alignment});
  lockstep_league league(scratch, seed);
  league.run(count_teams, count_digits::team_size, [&](lockstep_league_member const& m) {
    count_digits{route.source.keys, n, order, digits, buffers}(typename count_digits::count_digits{}, m);
  });
  league.run(digits.passes, plan::team_size,
             [&](lockstep_league_member const& m) { plan{n, buffers}(plan::plan{}, m); });
  EXPECT_EQ(differs, differing_digits(route.source.keys, n, order, digits));
  std::uint32_t const moves = buffers.moves(route.is_in_place());
  std::atomic<int> unaligned = 0;
  for (int p = 0; p < digits.passes; ++p)
    for (std::size_t portion = 0; portion < portions; ++portion) {
      std::size_t const first_tile = portion * Shape::portion_tiles;
      pass const kernel{
          route, n, first_tile, order.mask(), digits.shift(p), digits.mask(p), p, static_cast<int>(portion), buffers};
      int const teams = static_cast<int>(std::min<std::size_t>(tiles - first_tile, Shape::portion_tiles));
      auto const run_team = [&](lockstep_league& by, int team) {
        by.run_team(team, teams, pass::team_size, [&](lockstep_league_member const& m) {
          lockstep_league_member const before = m;
          kernel(typename pass::move{}, m);
          if (pass::by_sectors && m.team_rank() == 0 && (differs >> p & 1u) != 0)
            unaligned += count_unaligned<pass>(before);
        });
      };
      if (at_once == 1) {
        for (int team = 0; team < teams; ++team) run_team(league, teams - 1 - team);
      } else {
        std::atomic<int> next = 0;
        std::vector<std::thread> threads;
        for (int k = 0; k < at_once; ++k)
          threads.emplace_back([&, k] {
            lockstep_league own(scratch, seed + static_cast<std::uint64_t>(k));
            for (int team = next++; team < teams; team = next++) run_team(own, team);
          });
        for (auto& thread : threads) thread.join();
      }
      // A pass that is skipped takes no tiles.
      EXPECT_EQ(*buffers.ticket(p, static_cast<int>(portion)), (moves >> p & 1u) != 0 ? std::uint32_t(teams) : 0u);
    }
  EXPECT_EQ(unaligned, 0);
  if (route.is_in_place() && digits.passes % 2 != 0)
    for (std::size_t i = 0; i < n; ++i) sort_finish_kernel<Key, Value>{route, buffers}(static_cast<std::int64_t>(i));
}

struct how {
  bool descending = false;
  int first = 0, last = 64;
  bool in_place = false;
  std::size_t skew = 0;  ///< elements that the result begins behind a sector; the source, one fewer
  std::uint64_t seed = 1;
  int at_once = 1;
};

template <class Shape, class Value, class Key>
void check(std::vector<Key> const& keys, how const& h = {}) {
  constexpr bool has_values = !std::is_same_v<Value, no_value>;
  using value = std::conditional_t<has_values, Value, char>;
  std::size_t const n = keys.size();
  int const last = std::min(h.last, 8 * static_cast<int>(sizeof(Key)));
  SCOPED_TRACE(std::to_string(n) + " keys of " + std::to_string(sizeof(Key)) + " bytes, values of " +
               std::to_string(has_values ? sizeof(value) : 0) + ", bits " + std::to_string(h.first) + " to " +
               std::to_string(last) + (h.descending ? ", descending" : "") + (h.in_place ? ", in place" : "") +
               ", skew " + std::to_string(h.skew) + ", way " + std::to_string(static_cast<int>(Shape::held)));
  std::vector<value> values;
  if constexpr (has_values)
    for (std::size_t i = 0; i < n; ++i) values.push_back(value(i));
  std::size_t const m = values.size();
  std::size_t const before = h.skew - (h.skew > 0);
  auto const result_of = [&](auto const& of) { return h.in_place ? of : std::decay_t<decltype(of)>(of.size()); };
  guarded<Key> const source_keys(keys, before), result_keys(result_of(keys), h.skew),
      other_keys(std::vector<Key>(n), 0);
  guarded<value> const source_values(values, before), result_values(result_of(values), h.skew),
      other_values(std::vector<value>(m), 0);
  auto const arrays = [](guarded<Key> const& k, [[maybe_unused]] guarded<value> const& v) -> sort_arrays<Key, Value> {
    if constexpr (has_values) return {k.data(), v.data()};
    else return {k.data(), nullptr};
  };
  auto const result = arrays(result_keys, result_values);
  sort_route<Key, Value> const route{h.in_place ? result : arrays(source_keys, source_values), result,
                                     arrays(other_keys, other_values)};
  using word = key_word<Key>;
  run<Key, Value, Shape>(route, n, {h.descending ? static_cast<word>(~word(0)) : word(0)},
                         digit_plan::of(h.first, last), h.seed, h.at_once);

  auto const expected = sorted::order_of(keys, h.descending, h.first, last);
  EXPECT_TRUE(sorted::same_bits(result_keys.content(), sorted::permuted(keys, expected)));
  if constexpr (has_values) {
    EXPECT_TRUE(result_values.content() == sorted::permuted(values, expected));
  }
  EXPECT_TRUE(sorted::same_bits(source_keys.content(), keys));
  EXPECT_TRUE(source_values.content() == values);
  EXPECT_TRUE(source_keys.are_guards_whole() && result_keys.are_guards_whole() && other_keys.are_guards_whole());
  EXPECT_TRUE(source_values.are_guards_whole() && result_values.are_guards_whole() && other_values.are_guards_whole());
}

template <class Way>
struct lockstep_sort : testing::Test {};
template <tile_place Held>
using way = std::integral_constant<tile_place, Held>;
using all_ways =
    testing::Types<way<tile_place::in_registers>, way<tile_place::in_scratch>, way<tile_place::by_sectors>>;
TYPED_TEST_SUITE(lockstep_sort, all_ways);

#ifdef UPSWEEP_TEST_EVERY_TYPE
constexpr bool every_type = true;
#else
constexpr bool every_type = false;
#endif

TYPED_TEST(lockstep_sort, borders_of_tiles_and_portions) {
  using shape = small_shape<TypeParam::value>;
  std::size_t skew = 0;
  for (std::size_t n : {std::size_t(2), tile - 1, tile, tile + 1, 3 * tile, 3 * tile + 1, 7 * tile + 17}) {
    // Two digits; ways in place and out of place, and arrays that begin anywhere, in turn.
    how h{.descending = skew % 3 == 0, .first = 5, .last = 21, .in_place = skew % 2 != 0, .skew = skew, .seed = n};
    ++skew;
    auto const keys = sorted::make_keys<std::uint32_t>(n);
    check<shape, no_value>(keys, h);
    check<shape, std::uint32_t>(keys, h);
    if constexpr (every_type) {
      check<shape, std::uint64_t>(keys, h);
      check<shape, record>(keys, h);
    }
    h.first += 24;
    h.last += 24;
    h.in_place = !h.in_place;
    auto const long_keys = sorted::make_keys<std::uint64_t>(n);
    check<shape, no_value>(long_keys, h);
    check<shape, record>(long_keys, h);
    if constexpr (every_type) {
      check<shape, std::uint32_t>(long_keys, h);
      check<shape, std::uint64_t>(long_keys, h);
    }
  }
}

/// Signs and other numbers than integers, in all bits.
TYPED_TEST(lockstep_sort, types_of_keys) {
  using shape = small_shape<TypeParam::value>;
  check<shape, no_value>(sorted::make_keys<float>(tile - 5), {.skew = 1});
  if constexpr (every_type) {
    check<shape, std::uint32_t>(sorted::make_keys<std::int32_t>(2 * tile + 5), {.descending = true, .skew = 3});
    check<shape, std::uint16_t>(sorted::make_keys<std::int64_t>(tile + 5), {.in_place = true});
    check<shape, std::uint64_t>(sorted::make_keys<double>(tile + 5), {.descending = true});
    check<shape, std::uint64_t>(sorted::make_keys<std::uint16_t>(2 * tile - 1), {.in_place = true, .skew = 5});
  }
}

/// Digits that a tile has none of, or has nothing but.
TYPED_TEST(lockstep_sort, patterns) {
  using shape = small_shape<TypeParam::value>;
  for (std::size_t n : {tile - 5, 4 * tile + 3}) {
    for (auto which : {pattern::few, pattern::equal, pattern::ascending, pattern::descending}) {
      check<shape, std::uint32_t>(sorted::make_keys<std::uint32_t>(n, which), {.last = 16, .skew = 1});
      check<shape, no_value>(sorted::make_keys<std::uint64_t>(n, which), {.descending = true, .last = 16, .skew = 7});
    }
    // All but one are the largest, or the least.
    for (std::uint32_t most : {0u, ~0u}) {
      std::vector<std::uint32_t> keys(n, most);
      keys[n / 2] = 0x8181u;
      check<shape, std::uint32_t>(keys, {.last = 16, .in_place = true, .skew = 2});
    }
  }
}

TYPED_TEST(lockstep_sort, digits_that_all_keys_share_are_skipped) {
  using shape = small_shape<TypeParam::value>;
  for (unsigned digits = 0; digits < 16; ++digits) {
    std::uint32_t mask = 0;
    for (int d = 0; d < 4; ++d) mask |= (digits >> d & 1u) != 0 ? 0xffu << 8 * d : 0u;
    auto keys = sorted::make_keys<std::uint32_t>(tile + 3);
    for (auto& key : keys) key = (key & mask) | (0x12345678u & ~mask);
    check<shape, std::uint32_t>(keys, {.in_place = digits % 3 != 0, .skew = digits % 8});
    check<shape, no_value>(keys, {.in_place = digits % 3 == 0});
  }
}

TYPED_TEST(lockstep_sort, ranges_of_bits) {
  using shape = small_shape<TypeParam::value>;
  auto const keys = sorted::make_keys<std::uint32_t>(4 * tile + 3);
  for (auto [first, last] : {std::pair(0, 1), std::pair(3, 12), std::pair(7, 32), std::pair(31, 32)})
    for (bool in_place : {false, true})
      check<shape, std::uint32_t>(
          keys, {.descending = first % 2 == 0, .first = first, .last = last, .in_place = in_place, .skew = 3});
}

/// More places than the counters leave, most of all where digits begin as their output does.
TYPED_TEST(lockstep_sort, tiles_longer_than_counters) {
  using shape = sort_shape<256, 20, 2, TypeParam::value>;
  check<shape, std::uint32_t>(sorted::make_keys<std::uint32_t>(2 * shape::tile - 1), {.first = 8, .last = 16});
}

/// Teams that wait for tiles which others are at work on.
TYPED_TEST(lockstep_sort, teams_at_once) {
  using shape = small_shape<TypeParam::value, 12>;
  auto const keys = sorted::make_keys<std::uint32_t>(20 * tile + 5);
  check<shape, std::uint32_t>(keys, {.last = 16, .skew = 1, .at_once = 4});
}

}  // namespace
