// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The single launch of pack_lists where it is hard: stalled predecessors, a bound that is too small.

#include "../oracle/engines.hpp"
#include "ragged.hpp"

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace {

using upsweep::internal::access;

using functor = ragged::functor<int>;
using fused = upsweep::pack::detail::fused_pack<int, oracle::space, functor>;

using tile = fused::tile;
using stamped = upsweep::scan::detail::status_words<std::uint64_t>;

/// A launch with its memory laid bare, and sentinels behind the bound.
struct launch {
  oracle::space space;
  upsweep::workspace ws{space};
  Kokkos::View<std::uint64_t*, oracle::memory> words;
  Kokkos::View<std::size_t*, oracle::memory> offsets;
  Kokkos::View<int*, oracle::memory> values;
  functor rows;
  std::size_t bound;
  int rows_per_thread;
  std::size_t tiles;

  launch(std::vector<int> const& lengths, std::size_t room, int each = tile::fewest_rows_per_thread)
      : words("words", fused::region_bytes(lengths.size()) / sizeof(std::uint64_t)),
        offsets("offsets", lengths.size() + 1),
        values("values", room + 1000),
        rows(ragged::of<int>(lengths)),
        bound(room),
        rows_per_thread(each),
        tiles(fused::tiles(lengths.size(), each)) {
    oracle::fill(values, -1);
  }
  /// skipped: tiles whose teams do not run.
  void run(int polls, std::size_t kept, std::size_t skipped = 0,
           std::uint32_t epoch_limit = upsweep::scan::detail::largest_epoch) {
    upsweep::scan::detail::look_back_memory const memory{reinterpret_cast<std::byte*>(words.data()),
                                                         words.size() * sizeof(std::uint64_t), epoch_limit, polls};
    auto const prefixes = upsweep::scan::detail::make_prefixes<tile::prefixes, oracle::space>(memory, tiles, false);
    auto const n = std::int64_t(offsets.extent(0)) - 1;
    fused::launch(
        space,
        {rows, n, offsets.data(), values.data(), bound, {rows_per_thread, kept}, prefixes, access::errors(ws, space)},
        tiles - skipped, {});
    space.fence();
  }
  std::uint64_t fallbacks() {
    upsweep::scan::detail::look_back_control control;
    std::memcpy(&control, oracle::to_host(words).data(), sizeof(control));
    return control.fallbacks;
  }
};

constexpr std::size_t tile_rows = tile::team_size * tile::fewest_rows_per_thread;

std::vector<int> some_lengths(std::size_t n) {
  std::vector<int> lengths(n);
  for (std::size_t i = 0; i < n; ++i) lengths[i] = int(i * 13 % 25);
  return lengths;
}

TEST(row_tiles, nothing_is_written_behind_the_bound) {
  auto const lengths = some_lengths(3000);
  ragged::expectation<int> const expected(lengths);
  for (std::size_t bound : {std::size_t(0), std::size_t(1), std::size_t(5000), expected.values.size() - 1})
    for (std::size_t kept : {0u, 1u, 31u}) {
      launch l(lengths, bound);
      l.run(1000, kept);
      EXPECT_EQ(oracle::to_host(l.offsets), expected.offsets);
      auto const found = oracle::to_host(l.values);
      for (std::size_t k = 0; k < bound; ++k) ASSERT_EQ(found[k], expected.values[k]) << k;
      EXPECT_EQ(std::vector<int>(found.begin() + std::ptrdiff_t(bound), found.end()), std::vector<int>(1000, -1));
    }
}

TEST(row_tiles, a_stalled_predecessor_is_counted_by_its_successor) {
  auto const lengths = some_lengths(20 * tile_rows + 5);
  ragged::expectation<int> const expected(lengths);
  for (std::size_t stalled : {1u, 3u}) {
    launch l(lengths, expected.values.size());
    // The first tiles are taken already, by teams that never come to run.
    auto const ticket = Kokkos::subview(l.words, 0);
    oracle::fill(ticket, stalled);
    l.run(1, 5, stalled);
    EXPECT_GE(l.fallbacks(), stalled);
    EXPECT_EQ(access::take_error(l.ws, l.space), 0u);
    auto const offsets = oracle::to_host(l.offsets);
    for (std::size_t i = stalled * tile_rows; i < offsets.size(); ++i) ASSERT_EQ(offsets[i], expected.offsets[i]) << i;
    auto const values = oracle::to_host(l.values);
    std::size_t const begin = expected.offsets[stalled * tile_rows];
    for (std::size_t v = 0; v < expected.values.size(); ++v)
      ASSERT_EQ(values[v], v < begin ? -1 : expected.values[v]) << v;
  }
}

TEST(row_tiles, a_fallback_that_counted_otherwise_is_reported_for_every_tile) {
  auto const lengths = some_lengths(5 * tile_rows + 5);
  for (std::size_t late : {0u, 1u, 4u}) {
    launch l(lengths, ragged::expectation<int>(lengths).values.size());
    std::size_t const own =
        ragged::expectation<int>(std::vector<int>(lengths.begin() + std::ptrdiff_t(late * tile_rows),
                                                  lengths.begin() + std::ptrdiff_t((late + 1) * tile_rows)))
            .values.size();
    std::uint64_t published[stamped::pieces];
    stamped::write(published, upsweep::scan::detail::stamp::make(0, upsweep::scan::detail::tile_status::aggregate),
                   own + 1);
    std::size_t const line = upsweep::scan::detail::control_words + late * tile::prefixes::stride;
    for (int k = 0; k < stamped::pieces; ++k) {
      auto const word = Kokkos::subview(l.words, line + std::size_t(k));
      oracle::fill(word, published[k]);
    }
    l.run(1000000, 5);
    std::uint64_t const found = access::take_error(l.ws, l.space);
    EXPECT_EQ(upsweep::internal::error_word::index(found), upsweep::pack::detail::behind_failures + late * tile_rows);
    EXPECT_EQ(upsweep::internal::error_word::code(found), upsweep::pack::detail::count_mismatch_code);
  }
}

TEST(row_tiles, a_region_serves_call_after_call) {
  auto const lengths = some_lengths(40 * tile_rows + 7);
  ragged::expectation<int> const expected(lengths);
  launch l(lengths, expected.values.size());
  for (int call = 0; call < 7; ++call) {
    oracle::fill(l.offsets, std::size_t(7));
    l.run(1000, 5, 0, 2);  // words are cleared at every third call
    ASSERT_EQ(oracle::to_host(l.offsets), expected.offsets) << call;
  }
}

TEST(row_tiles, a_workspace_serves_scans_and_rows_in_turn) {
  oracle::space const space;
  upsweep::workspace ws(space);
  for (std::size_t n : {5000u, 100u, 20000u}) {
    auto const lengths = some_lengths(n);
    ragged::expectation<int> const expected(lengths);
    auto const l =
        upsweep::pack_lists<int>(space, n, ragged::of<int>(lengths),
                                 {.workspace = &ws, .strategy = upsweep::pack_strategy::fused, .row_bound = 24});
    ragged::expect_equal(l, expected, "in turn");
    auto const in = oracle::to_device(lengths);
    Kokkos::View<int*, oracle::memory> const out("out", n);
    upsweep::exclusive_scan(space, in, out, upsweep::plus<>{},
                            upsweep::basic_scan_options<oracle::look_back>{.workspace = &ws});
    auto const found = oracle::to_host(out);
    ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.offsets.begin()));
  }
}

// The kernel of a GPU, on a CPU: its warps with lockstep lanes.
template <class Lanes>
struct warp_tile {
  static constexpr int team_size = 128;
  using lanes = Lanes;
  using prefixes = upsweep::scan::detail::decoupled_look_back<upsweep::pack::detail::record_sum, Lanes, 1>;
};
template <class Lanes>
class row_tiles_of_warps : public testing::Test {};
using widths = testing::Types<upsweep::team::testing::lockstep_lanes<32>, upsweep::team::testing::lockstep_lanes<64>>;
TYPED_TEST_SUITE(row_tiles_of_warps, widths);

TYPED_TEST(row_tiles_of_warps, teams_in_any_order_make_the_same_lists) {
  using host = upsweep::team::testing::lockstep_league_member;
  using warps = warp_tile<TypeParam>;
  for (int each : {1, 2, 8}) {
    std::size_t const of_tile = std::size_t(warps::team_size) * std::size_t(each);
    auto const lengths = some_lengths((2 * TypeParam::size + 5) * std::size_t(warps::team_size) + 3);
    ragged::expectation<int> const expected(lengths);
    std::size_t const tiles = upsweep::internal::divide_up(lengths.size(), of_tile);
    auto const rows = [&lengths](std::size_t i, upsweep::emitter<int> const& emit) {
      for (int k = 0; k < lengths[i]; ++k) emit(ragged::made<int>(i, std::size_t(k)));
    };
    using kernel = upsweep::pack::detail::row_tiles_kernel<int, decltype(rows), warps>;
    std::vector<std::uint64_t> words(upsweep::scan::detail::prefix_bytes<typename warps::prefixes>(tiles) /
                                     sizeof(std::uint64_t));
    std::uint64_t failure = 0;
    std::vector<std::size_t> order(tiles);
    std::iota(order.begin(), order.end(), std::size_t(0));
    upsweep::scan::detail::look_back_memory const memory{reinterpret_cast<std::byte*>(words.data()),
                                                         words.size() * sizeof(std::uint64_t),
                                                         upsweep::scan::detail::largest_epoch, 1};
    auto const& control = *reinterpret_cast<upsweep::scan::detail::look_back_control const*>(words.data());
    upsweep::team::testing::lockstep_league league(1 << 16);
    for (bool backwards : {false, true}) {
      if (backwards) std::reverse(order.begin(), order.end());
      std::vector<std::size_t> offsets(lengths.size() + 1);
      std::vector<int> values(expected.values.size());
      auto const prefixes =
          upsweep::scan::detail::make_prefixes<typename warps::prefixes, Kokkos::DefaultHostExecutionSpace>(
              memory, tiles, false);
      // Room for all rows of some threads, and for none of others.
      upsweep::pack::detail::row_tile_shape const shape{each, 5 + 12 * std::size_t(each - 1)};
      kernel const k{
          rows,      std::int64_t(lengths.size()), offsets.data(), values.data(), values.size(), shape, prefixes,
          {&failure}};
      for (std::size_t number : order) {
        words[0] = number;  // the ticket
        league.run_team(int(number), int(tiles), warps::team_size, [&](host const& m) { k(m); });
      }
      EXPECT_EQ(offsets, expected.offsets) << each;
      EXPECT_EQ(values, expected.values) << each;
      EXPECT_EQ(control.fallbacks, backwards ? tiles - 1 : 0u);
      EXPECT_EQ(control.epoch, backwards ? 2u : 1u);
      EXPECT_EQ(failure, 0u);
    }
  }
}

TEST(row_tiles, rows_of_any_number_a_thread_make_the_same_lists) {
  for (std::size_t n : {std::size_t(0), std::size_t(1), 3 * tile_rows - 1, 9 * tile_rows + 5}) {
    auto const lengths = some_lengths(n);
    ragged::expectation<int> const expected(lengths);
    for (int each = tile::fewest_rows_per_thread; each <= tile::most_rows_per_thread; each *= 2)
      for (std::size_t kept : {0u, 7u, 31u}) {
        launch l(lengths, expected.values.size(), each);
        l.run(1000, kept);
        ASSERT_EQ(oracle::to_host(l.offsets), expected.offsets)
            << n << " rows, " << each << " a thread, " << kept << " kept";
        auto found = oracle::to_host(l.values);
        found.resize(expected.values.size());
        ASSERT_EQ(found, expected.values) << n << " rows, " << each << " a thread, " << kept << " kept";
        ASSERT_EQ(access::take_error(l.ws, l.space), 0u);
      }
  }
}

// A GPU's tiles.
struct gpu_tile {
  static constexpr bool gpu = true;
  static constexpr int team_size = 128, fewest_rows_per_thread = 1, most_rows_per_thread = 8;
  static constexpr std::size_t room = 32;
};

TEST(row_tiles, threads_share_their_room_among_short_rows) {
  using upsweep::pack::detail::row_tile_shape;
  auto const shape = [](std::size_t rows, std::size_t wanted, std::size_t records) {
    auto const s = row_tile_shape::of<gpu_tile>(rows, wanted, records, 1000);
    return std::pair<int, std::size_t>(s.rows_per_thread, s.kept);
  };
  using result = std::pair<int, std::size_t>;
  std::size_t const many = 1 << 24;
  EXPECT_EQ(shape(many, 32, 3), result(4, 31));  // 6 records per row
  EXPECT_EQ(shape(many, 32, 2), result(8, 31));
  EXPECT_EQ(shape(many, 32, 100), result(1, 31));
  EXPECT_EQ(shape(many, 4, 100), result(8, 31));  // the caller says how long rows are
  EXPECT_EQ(shape(many, 1, 100), result(8, 9));
  EXPECT_EQ(shape(many, 0, 0), result(8, 1));
  EXPECT_EQ(shape(1000 * 128, 4, 4), result(1, 5));  // no more tiles than are wanted
  EXPECT_EQ(shape(4000 * 128, 4, 4), result(4, 17));
  EXPECT_EQ(shape(many, ~std::size_t(0), ~std::size_t(0)), result(1, 31));
}

TEST(row_tiles, impatient_teams_on_all_threads) {
  auto const lengths = some_lengths(200 * tile_rows + 1);
  ragged::expectation<int> const expected(lengths);
  for (int rep = 0; rep < 20; ++rep) {
    launch l(lengths, expected.values.size());
    l.run(1, std::size_t(rep) % 4 * 10);
    ASSERT_EQ(oracle::to_host(l.offsets), expected.offsets);
    auto found = oracle::to_host(l.values);
    found.resize(expected.values.size());
    ASSERT_EQ(found, expected.values);
    ASSERT_EQ(access::take_error(l.ws, l.space), 0u);
  }
}

}  // namespace
