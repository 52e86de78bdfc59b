// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// One look-back by groups, on a CPU, while other teams publish: what they have to say appears bit by bit between the
// polls, in random order, and some of it never.

#include "../oracle/monoids.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace upsweep::scan::detail;
using maps = oracle::affine_maps;
using upsweep::team::testing::lockstep_error;
using upsweep::team::testing::lockstep_lanes;
using upsweep::team::testing::lockstep_member;
using upsweep::team::testing::lockstep_team;

/// Lanes that let others go on when they come to a ballot: other lanes may have read words before that, or
/// will afterwards.
template <int Width>
struct watched_lanes : lockstep_lanes<Width> {
  using mask = typename lockstep_lanes<Width>::mask;
  inline static std::function<void()> others_go_on;

  KOKKOS_FUNCTION static mask ballot(bool value) {
    KOKKOS_IF_ON_HOST((if (lockstep_team::running().current() == 0) others_go_on();))
    return lockstep_lanes<Width>::ballot(value);
  }
  KOKKOS_FUNCTION static bool all(bool value) { return ballot(value) == lockstep_lanes<Width>::all_lanes; }
};

template <int Width, int Window, class Monoid>
struct configuration {
  static constexpr int width = Width;
  using lanes = watched_lanes<Width>;
  using monoid = Monoid;
  using state = typename Monoid::value_type;
  using prefixes = decoupled_look_back<Monoid, lanes, Window>;
};
constexpr std::uint32_t epoch = 5;
template <class Configuration>
struct lockstep_prefixes : testing::Test {};
using plus_32 = upsweep::plus<std::int32_t>;
using plus_64 = upsweep::plus<std::int64_t>;
using configurations =
    testing::Types<configuration<32, 4, plus_32>, configuration<64, 4, plus_32>, configuration<32, 1, plus_64>,
                   configuration<64, 1, plus_64>, configuration<32, 1, maps>, configuration<64, 1, maps>,
                   configuration<32, 4, maps>, configuration<64, 4, maps>>;
TYPED_TEST_SUITE(lockstep_prefixes, configurations);

template <class T>
T random_value(std::mt19937& random) {
  if constexpr (std::is_same_v<T, oracle::affine>) return {random() | 1u, random()};
  else return static_cast<T>(random() % 10000);
}

TYPED_TEST(lockstep_prefixes, are_found_whatever_others_have_told) {
  using prefixes_type = typename TypeParam::prefixes;
  using state = typename TypeParam::state;
  constexpr std::size_t size = prefixes_type::group_size;
  typename TypeParam::monoid const op;
  std::mt19937 random(17);
  std::vector<int> from_group(size + 1);  // how often a walk had to begin so many groups before

  for (int trial = 0; trial < 150; ++trial) {
    std::size_t const group = random() % (trial < 75 ? 8 : size + 3);
    std::size_t const place = random() % 3 == 0 ? size - 1 : random() % size;
    std::size_t const tile = group * size + place, tiles = tile + 1 + random() % 3;
    look_back_control control{};
    std::vector<std::uint64_t> lines(prefixes_type::words(tiles));
    prefixes_type const prefixes{&control, lines.data(), tiles, lines.size(), largest_epoch, 1 << 30, false};
    auto const line = [&](std::size_t number) { return lines.data() + number * prefixes_type::stride; };
    auto const write = [&](std::size_t number, std::uint32_t when, tile_status what, state const& value) {
      status_words<state>::write(line(number), stamp::make(when, what), value);
    };
    // What the call before has left.
    for (std::size_t k = 0; k < tiles + tiles / size; ++k)
      write(k, epoch - 1, tile_status::prefix, random_value<state>(random));

    std::vector<state> aggregates(tiles);
    for (auto& aggregate : aggregates) aggregate = random_value<state>(random);
    state const init = random_value<state>(random);
    std::vector<state> folds(group + 1, op.identity()), through(group + 1, init);
    for (std::size_t g = 0; g <= group; ++g) {
      if (g > 0) through[g] = through[g - 1];
      for (std::size_t k = 0; k < size && g * size + k < tiles; ++k) folds[g] = op(folds[g], aggregates[g * size + k]);
      through[g] = op(through[g], folds[g]);
    }

    // The nearest prefix that will ever be there is `distance` groups before; at `group` that is init.
    // Tiles far behind ask near groups only: a prefix comes near in the end.
    std::size_t const near =
        prefixes_type::window > 1 && group >= size ? static_cast<std::size_t>(prefixes_type::window) + 1 : size;
    std::size_t const distance = std::min(group, random() % 2 == 0 ? random() % 4 : random() % near);
    ++from_group[distance];
    std::vector<std::function<void()>> stores;
    auto const publish_tiles = [&](std::size_t g, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k)
        stores.push_back([&, t = g * size + k] { write(t, epoch, tile_status::aggregate, aggregates[t]); });
    };
    publish_tiles(group, place);
    for (std::size_t back = 1; back <= distance && back <= group; ++back) {
      std::size_t const g = group - back;
      bool const tiles_are_read = back <= static_cast<std::size_t>(prefixes_type::window);
      auto const kind = random() % 3;
      if (kind != 0 && tiles_are_read) publish_tiles(g, size);
      if (kind != 1 || !tiles_are_read)
        stores.push_back([&, g] { write(tiles + g, epoch, tile_status::aggregate, folds[g]); });
    }
    std::shuffle(stores.begin(), stores.end(), random);
    if (distance < group) {
      // A group may publish its fold first, and then publishes its prefix.
      std::size_t const g = group - distance - 1;
      auto const at = static_cast<std::ptrdiff_t>(random() % (stores.size() + 1));
      stores.insert(stores.begin() + at, [&, g] { write(tiles + g, epoch, tile_status::prefix, through[g]); });
      if (random() % 2 == 0)
        stores.insert(stores.begin() + at, [&, g] { write(tiles + g, epoch, tile_status::aggregate, folds[g]); });
    }

    std::size_t next = 0, ballots = 0;
    TypeParam::lanes::others_go_on = [&] {
      if (++ballots > 100000) throw lockstep_error("the walk does not end");
      for (auto k = random() % 40; k > 0 && next < stores.size(); --k) stores[next++]();
    };
    bool const closes = place + 1 == size || tile + 1 == tiles;
    state before = init;
    for (std::size_t t = 0; t < tile; ++t) before = op(before, aggregates[t]);
    lockstep_team team(static_cast<std::uint64_t>(trial));
    team.run(TypeParam::width, [&](lockstep_member const& m) {
      int const lane = m.team_rank();
      if (lane == 0) prefixes.publish(tile, epoch, aggregates[tile]);
      auto const found = prefixes.wait_for_prefix(tile, epoch, op, init, lane, no_fallback{});
      EXPECT_TRUE(found.exclusive == before)
          << "trial " << trial << ", lane " << lane << ", group " << group << ", distance " << distance;
      EXPECT_TRUE(!closes || found.inclusive == op(before, aggregates[tile])) << "trial " << trial << ", lane " << lane;
    });
    if (place + 1 == size) {
      state published;
      EXPECT_EQ(status_words<state>::read(line(tiles + group), epoch, published), tile_status::prefix);
      EXPECT_TRUE(published == through[group]) << "trial " << trial;
    }
  }
  EXPECT_GT(from_group[0], 0);
  EXPECT_GT(from_group[prefixes_type::window + 1], 0);
}

// Some tiles are stalled, so that the walk reduces them and publishes prefixes of groups. Their owners store meanwhile,
// word by word: a group's fold over the prefix that the walk has put there, and then that prefix again.
TYPED_TEST(lockstep_prefixes, are_right_while_owners_and_helpers_publish) {
  using prefixes_type = typename TypeParam::prefixes;
  using state = typename TypeParam::state;
  constexpr std::size_t size = prefixes_type::group_size;
  typename TypeParam::monoid const op;
  std::uint64_t reduced = 0;
  std::mt19937 random(23);

  for (int trial = 0; trial < 100; ++trial) {
    std::size_t const group = random() % 7, place = random() % 3 == 0 ? size - 1 : random() % size;
    std::size_t const tile = group * size + place, tiles = tile + 1 + random() % 3;
    look_back_control control{};
    std::vector<std::uint64_t> lines(prefixes_type::words(tiles));
    prefixes_type const prefixes{&control, lines.data(), tiles, lines.size(), largest_epoch, 2, false};

    std::vector<state> aggregates(tiles);
    for (auto& aggregate : aggregates) aggregate = random_value<state>(random);
    state const init = random_value<state>(random);

    // What each owner has still to store, in its order.
    std::vector<std::vector<std::function<void()>>> owners;
    auto const prefetch_for_store = [&](std::size_t number, tile_status what, state const& value) {
      std::vector<std::uint64_t> content(prefixes_type::stride);
      status_words<state>::write(content.data(), stamp::make(epoch, what), value);
      for (std::size_t k = 0; k < static_cast<std::size_t>(status_words<state>::pieces); ++k)
        owners.back().push_back(
            [&lines, at = number * prefixes_type::stride + k, word = content[k]] { lines[at] = word; });
    };
    state before = init;
    for (std::size_t g = 0; g <= group; ++g) {
      state fold = op.identity();
      for (std::size_t t = g * size; t < std::min(tile, (g + 1) * size); ++t) {
        fold = op(fold, aggregates[t]);
        auto const kind = random() % 16;
        if (kind == 0) continue;  // stalled
        owners.emplace_back();
        prefetch_for_store(t, tile_status::aggregate, aggregates[t]);
        if (kind > 2)
          for (auto const& store : std::exchange(owners.back(), {})) store();
      }
      before = op(before, fold);
      if (g == group || random() % 3 == 0) continue;
      owners.emplace_back();
      prefetch_for_store(tiles + g, tile_status::aggregate, fold);
      prefetch_for_store(tiles + g, tile_status::prefix, before);
    }
    std::erase_if(owners, [](auto const& stores) { return stores.empty(); });
    auto const store_one = [&] {
      auto const owner = owners.begin() + static_cast<std::ptrdiff_t>(random() % owners.size());
      owner->front()();
      owner->erase(owner->begin());
      if (owner->empty()) owners.erase(owner);
    };
    std::size_t ballots = 0;
    TypeParam::lanes::others_go_on = [&] {
      if (++ballots > 100000) throw lockstep_error("the walk does not end");
      for (auto k = random() % 4; k > 0 && !owners.empty(); --k) store_one();
    };

    lockstep_team team(static_cast<std::uint64_t>(trial));
    team.run(TypeParam::width, [&](lockstep_member const& m) {
      int const lane = m.team_rank();
      if (lane == 0) prefixes.publish(tile, epoch, aggregates[tile]);
      auto const found =
          prefixes.wait_for_prefix(tile, epoch, op, init, lane, [&](std::size_t t) { return aggregates[t]; });
      EXPECT_TRUE(found.exclusive == before) << "trial " << trial << ", lane " << lane << ", group " << group;
    });
    reduced += control.fallbacks;
    // The last word is the owners'.
    while (!owners.empty()) store_one();
    for (std::size_t t = 0; t < tile; ++t) {
      state published = aggregates[t];
      status_words<state>::read(lines.data() + t * prefixes_type::stride, epoch, published);
      EXPECT_TRUE(published == aggregates[t]) << "trial " << trial << ", tile " << t;
    }
  }
  EXPECT_GT(reduced, 0u);
}

}  // namespace
