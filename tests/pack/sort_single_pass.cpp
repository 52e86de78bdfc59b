// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The sort that reads and writes each key once a digit, for GPUs whose warps it needs: borders of tiles and of
// portions, digits that are skipped, teams that scratch has room for, and more keys than an int counts.

#include "sort_kernels.hpp"

#include <utility>
#include <vector>

namespace {

using oracle::memory;
using oracle::space;
using sorted::pattern;
using upsweep::pack::detail::no_value;

using enum upsweep::pack::detail::tile_place;

/// Small tiles, and chains of look-back that restart after three of them.
template <upsweep::pack::detail::tile_place Held>
struct small_portions {
  struct one_wave_scan : upsweep::pack::detail::sort_shape<256, 3, 2, Held> {
    static constexpr std::size_t portion_tiles = 3;
  };
  static constexpr int digit_count_threads = 256, digit_count_teams = 1;
  template <class Key>
  static constexpr int digit_count_columns = 1;
  template <std::size_t KeyBytes, std::size_t ValueBytes, class F>
  static auto with_shape(std::size_t, F const& f) {
    return f(one_wave_scan{});
  }
};
constexpr std::size_t tile = small_portions<in_registers>::one_wave_scan::tile;

template <upsweep::pack::detail::tile_place Held, class Key, class Value = std::uint32_t>
void check(std::vector<Key> const& keys, bool descending = false, int first = 0, int last = 8 * int(sizeof(Key))) {
  if constexpr (upsweep::compat::has_warps_of_32<space>) {
    using both = upsweep::pack::detail::single_pass_sort<space, Key, Value, small_portions<Held>>;
    using alone = upsweep::pack::detail::single_pass_sort<space, Key, no_value, small_portions<Held>>;
    sorted::expect_sorted<Value, both, alone>(keys, descending, first, last);
  }
}

#define UPSWEEP_SKIP_WITHOUT_WARPS() \
  if constexpr (!upsweep::compat::has_warps_of_32<space>) GTEST_SKIP() << "another sort runs here"

TEST(sort_single_pass, borders_of_tiles_and_portions) {
  UPSWEEP_SKIP_WITHOUT_WARPS();
  for (std::size_t n : {std::size_t(2), std::size_t(31), std::size_t(33), tile - 1, tile, tile + 1, 3 * tile - 1,
                        3 * tile, 3 * tile + 1, 6 * tile, 50 * tile + 17}) {
    check<in_registers>(sorted::make_keys<std::uint32_t>(n));
    check<in_scratch>(sorted::make_keys<std::uint32_t>(n));
    check<by_sectors>(sorted::make_keys<std::uint32_t>(n));
    check<in_registers>(sorted::make_keys<float>(n), true);
    check<by_sectors>(sorted::make_keys<float>(n), true);
    check<in_scratch, double, std::uint64_t>(sorted::make_keys<double>(n));
    check<by_sectors, std::int64_t, std::uint16_t>(sorted::make_keys<std::int64_t>(n), true);
    check<in_registers, std::uint16_t, std::uint64_t>(sorted::make_keys<std::uint16_t>(n));
  }
}

TEST(sort_single_pass, patterns) {
  UPSWEEP_SKIP_WITHOUT_WARPS();
  for (auto which : {pattern::few, pattern::equal, pattern::ascending, pattern::descending})
    for (std::size_t n : {tile - 5, 20 * tile + 3}) {
      check<in_registers>(sorted::make_keys<std::int32_t>(n, which));
      check<in_scratch>(sorted::make_keys<std::uint32_t>(n, which), true);
      check<by_sectors>(sorted::make_keys<std::uint32_t>(n, which), true);
    }
}

TEST(sort_single_pass, digits_that_all_keys_share_are_skipped) {
  UPSWEEP_SKIP_WITHOUT_WARPS();
  // Which of four digits differ: with an odd number of them, the keys are copied once more.
  for (unsigned digits = 0; digits < 16; ++digits) {
    std::uint32_t mask = 0;
    for (int d = 0; d < 4; ++d) mask |= (digits >> d & 1u) != 0 ? 0xffu << 8 * d : 0u;
    auto keys = sorted::make_keys<std::uint32_t>(5 * tile + 3);
    for (auto& key : keys) key = (key & mask) | (0x12345678u & ~mask);
    check<in_registers>(keys);
    check<by_sectors>(keys);
  }
}

TEST(sort_single_pass, ranges_of_bits) {
  UPSWEEP_SKIP_WITHOUT_WARPS();
  auto const keys = sorted::make_keys<std::uint32_t>(5 * tile + 3);
  std::vector<std::pair<int, int>> const ranges{{0, 1}, {3, 12}, {7, 32}, {31, 32}, {10, 29}};
  for (auto [first, last] : ranges) {
    check<in_registers>(keys, first % 2 == 0, first, last);
    check<by_sectors>(keys, first % 2 == 0, first, last);
  }
}

template <class Key, class Value>
void expect_room_for_teams(std::size_t n) {
  using sort = upsweep::pack::detail::single_pass_sort<space, Key, Value>;
  upsweep::pack::detail::sort_tuning::with_shape<sizeof(Key), sort::value_bytes>(n, [](auto shape) {
    using pass = upsweep::pack::detail::sort_pass_kernel<Key, Value, decltype(shape)>;
    constexpr std::size_t KiB = 1024, of_hopper = 228 * KiB;
    // A team's scratch, and what Kokkos reduces in.
    std::size_t const bytes = sort::template scratch_bytes<pass> + sizeof(double) * (pass::team_size + 2);
    for (std::size_t available : {64 * KiB, 96 * KiB, 100 * KiB, 164 * KiB, of_hopper}) {
      if (upsweep::compat::has_large_scratch && available < 164 * KiB) continue;
      int const teams = sort::template resident_teams<pass>(shape.teams, available);
      EXPECT_GE(teams, 1);
      EXPECT_LE(static_cast<std::size_t>(teams) * bytes, available) << shape.threads << ", " << shape.items;
    }
    EXPECT_EQ(sort::template resident_teams<pass>(shape.teams, of_hopper), shape.teams);
  });
}

// Kokkos refuses a launch that asks for more teams on a multiprocessor than it has scratch for. Sorts of 64-bit keys
// once asked for three teams that only Hopper has room for.
TEST(sort_single_pass, asks_for_teams_that_scratch_has_room_for) {
  for (std::size_t n : {std::size_t(2), upsweep::pack::detail::sort_tuning::long_input}) {
    expect_room_for_teams<std::uint32_t, no_value>(n);
    expect_room_for_teams<std::uint64_t, no_value>(n);
    expect_room_for_teams<std::uint32_t, std::uint32_t>(n);
    expect_room_for_teams<std::uint32_t, std::uint64_t>(n);
    expect_room_for_teams<std::uint64_t, std::uint64_t>(n);
  }
}

using many_keys = Kokkos::View<std::uint16_t*, memory>;
using range = Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>;

void fill(many_keys const& keys) {
  Kokkos::parallel_for(
      range(0, static_cast<std::int64_t>(keys.extent(0))), KOKKOS_LAMBDA(std::int64_t i) {
        keys(i) = static_cast<std::uint16_t>((static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u) >> 37);
      });
}

/// The same for the same keys in any order.
std::uint64_t digest(many_keys const& keys) {
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce(
      range(0, static_cast<std::int64_t>(keys.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i, std::uint64_t& s) {
        std::uint64_t const key = keys(i) + std::uint64_t(1);
        s += (key * key * 0x9e3779b97f4a7c15u) ^ key;
      },
      sum);
  return sum;
}

std::int64_t descents(many_keys const& keys) {
  std::int64_t found = 0;
  Kokkos::parallel_reduce(
      range(1, static_cast<std::int64_t>(keys.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t& f) { f += keys(i - 1) > keys(i) ? 1 : 0; }, found);
  return found;
}

TEST(long_sort_single_pass, more_keys_than_an_int_counts) {
  UPSWEEP_SKIP_WITHOUT_WARPS();
  many_keys const keys(Kokkos::view_alloc(Kokkos::WithoutInitializing, "keys"), (std::size_t(1) << 31) + 12345);
  fill(keys);
  std::uint64_t const before = digest(keys);
  EXPECT_NE(descents(keys), 0);
  upsweep::sort(space{}, keys);
  EXPECT_EQ(descents(keys), 0);
  EXPECT_EQ(digest(keys), before);
}

}  // namespace
