// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The lanes that tests run kernels with, against plain loops over the lanes; and that a lane that stays
// away is an error.

#include "../oracle/monoids.hpp"

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace upsweep::team::testing;
using ::testing::HasSubstr;

template <class Lanes>
struct lockstep_lanes_of : testing::Test {};
using widths = testing::Types<lockstep_lanes<32>, lockstep_lanes<64>>;
TYPED_TEST_SUITE(lockstep_lanes_of, widths);

/// Runs three wavefronts, whose lanes have values; body(lane, values of the own wavefront).
template <class Lanes, class Value, class Body>
void with_values(std::vector<Value> const& values, Body const& body) {
  for (std::uint64_t seed : {0, 1, 2}) {
    lockstep_team team(seed);
    int bodies = 0;
    team.run(static_cast<int>(values.size()), [&](lockstep_member const& m) {
      int const lane = m.team_rank() % Lanes::size;
      body(lane, values.data() + (m.team_rank() - lane));
      ++bodies;
    });
    EXPECT_EQ(bodies, static_cast<int>(values.size()));
  }
}

template <class Lanes>
std::vector<std::uint32_t> random_words() {
  std::mt19937 random(Lanes::size);
  std::vector<std::uint32_t> words(3 * Lanes::size);
  for (auto& word : words) word = random();
  return words;
}

TYPED_TEST(lockstep_lanes_of, ballots_and_matches) {
  using lanes = TypeParam;
  using mask = typename lanes::mask;
  static_assert(sizeof(mask) * 8 == lanes::size);
  with_values<lanes>(random_words<lanes>(), [](int lane, std::uint32_t const* values) {
    std::uint32_t const bit[3] = {1u << 3, 0, 1u << 30};
    mask odd = 0, same = 0, below = 0, above = 0;
    int odd_count = 0, odd_below = 0, lowest = -1;
    for (int k = 0; k < lanes::size; ++k) {
      mask const one = mask(1) << k;
      if (values[k] % 2 != 0) {
        odd |= one;
        ++odd_count;
        if (k < lane) ++odd_below;
        if (lowest < 0) lowest = k;
      }
      if (((values[k] ^ values[lane]) & (bit[0] | bit[2])) == 0) same |= one;
      if (k < lane) below |= one;
      if (k > lane) above |= one;
    }
    mask const found = lanes::ballot(values[lane] % 2 != 0);
    EXPECT_EQ(found, odd);
    EXPECT_EQ(lanes::match_bits(values[lane], bit), same);
    EXPECT_EQ(lanes::popcount(found), odd_count);
    EXPECT_EQ(lanes::popcount_below(found, lane), odd_below);
    EXPECT_EQ(lanes::lowest_set_bit(found), lowest);
    EXPECT_EQ(lanes::lanes_below(), below);
    EXPECT_EQ(lanes::lanes_above(), above);
    EXPECT_TRUE(lanes::all(true));
    EXPECT_FALSE(lanes::all(lane != lanes::size - 1));
    EXPECT_EQ(lanes::popcount(lanes::all_lanes), lanes::size);
  });
}

TYPED_TEST(lockstep_lanes_of, shuffles) {
  using lanes = TypeParam;
  struct record {
    double x;
    std::uint8_t y;
  };
  with_values<lanes>(random_words<lanes>(), [](int lane, std::uint32_t const* values) {
    std::uint32_t sum = 0;
    for (int k = 0; k < lanes::size; ++k) sum += values[k];
    EXPECT_EQ(lanes::reduce_sum(values[lane]), sum);
    for (int distance = 1; distance < lanes::size; distance *= 2) {
      EXPECT_EQ(lanes::shuffle_up(values[lane], distance), values[lane < distance ? lane : lane - distance]);
      EXPECT_EQ(lanes::shuffle_xor(values[lane], distance), values[lane ^ distance]);
    }
    // Every lane asks another one, and for a value of another length.
    record const moved =
        lanes::shuffle(record{0.5 * values[lane], static_cast<std::uint8_t>(lane)}, lanes::size - 1 - lane);
    EXPECT_EQ(moved.x, 0.5 * values[lanes::size - 1 - lane]);
    EXPECT_EQ(moved.y, lanes::size - 1 - lane);
  });
}

TYPED_TEST(lockstep_lanes_of, folds_and_scans_keep_the_order) {
  using lanes = TypeParam;
  std::vector<oracle::affine> values;
  for (std::uint64_t word : random_words<lanes>()) values.push_back({word | 1u, word >> 7});
  with_values<lanes>(values, [](int lane, oracle::affine const* own) {
    oracle::affine_maps const op;
    auto running = op.identity(), inclusive = running;
    for (int k = 0; k < lanes::size; ++k) {
      running = op(running, own[k]);
      if (k == lane) inclusive = running;
    }
    EXPECT_EQ(upsweep::internal::fold_lanes<lanes>(op, own[lane], lane), running);
    EXPECT_EQ(upsweep::internal::scan_lanes<lanes>(op, own[lane], lane), inclusive);
  });
}

TYPED_TEST(lockstep_lanes_of, what_is_written_before_a_sync_is_there_behind_it) {
  using lanes = TypeParam;
  std::vector<int> scratch(static_cast<std::size_t>(lanes::size), -1);
  lockstep_team team;
  team.run(lanes::size, [&](lockstep_member const& m) {
    auto const lane = static_cast<std::size_t>(m.team_rank());
    for (int round = 0; round < 5; ++round) {
      scratch[lane] = round * 1000 + m.team_rank();
      lanes::sync();
      std::size_t const other = (lane + 1) % lanes::size;
      EXPECT_EQ(scratch[other], round * 1000 + static_cast<int>(other));
      lanes::sync();
    }
  });
}

TYPED_TEST(lockstep_lanes_of, wavefronts_go_their_own_way_between_barriers) {
  using lanes = TypeParam;
  lockstep_team team;
  int const barriers = team.run(3 * lanes::size, [&](lockstep_member const& m) {
    int const wavefront = m.team_rank() / lanes::size;
    std::uint32_t sum = 1;
    for (int k = 0; k < wavefront; ++k) sum = lanes::reduce_sum(sum);
    m.team_barrier();
    if (wavefront == 1) lanes::sync();
    m.team_barrier();
    std::uint32_t expected = 1;
    for (int k = 0; k < wavefront; ++k) expected *= lanes::size;
    EXPECT_EQ(sum, expected);
  });
  EXPECT_EQ(barriers, 2);
}

/// What run() says when it throws a lockstep_error, or nothing.
template <class Body>
std::string complaint(int size, Body const& body) {
  std::string said;
  for (std::uint64_t seed : {0, 1, 2}) {
    lockstep_team team(seed);
    said.clear();
    try {
      team.run(size, body);
    } catch (lockstep_error const& e) {
      said = e.what();
    }
    // The team is as good as before.
    EXPECT_EQ(team.run(64,
                       [](lockstep_member const& m) {
                         EXPECT_EQ(lockstep_lanes<64>::shuffle(m.team_rank(), 63 - m.team_rank()), 63 - m.team_rank());
                         m.team_barrier();
                       }),
              1);
  }
  return said;
}

TYPED_TEST(lockstep_lanes_of, a_lane_that_stays_away_is_an_error) {
  using lanes = TypeParam;
  constexpr int size = 2 * lanes::size;
  auto const wave_one = "wavefront 1 of " + std::to_string(lanes::size) + " lanes";
  auto const away = [](lockstep_member const& m) { return m.team_rank() == lanes::size + 5; };

  auto said = complaint(size, [&](lockstep_member const& m) {
    if (!away(m)) lanes::ballot(true);
  });
  EXPECT_THAT(said, HasSubstr(wave_one));
  EXPECT_THAT(said, HasSubstr("lane 4 is at ballot of 1 bytes, but lane 5 has ended"));

  said = complaint(size, [&](lockstep_member const& m) {
    if (away(m)) m.team_barrier();
    lanes::sync();
    if (!away(m)) m.team_barrier();
  });
  EXPECT_THAT(said, HasSubstr(wave_one));
  EXPECT_THAT(said, HasSubstr("is at sync of 1 bytes, but lane 5 waits at a barrier"));

  said = complaint(size, [&](lockstep_member const& m) {
    if (m.team_rank() == lanes::size) lanes::shuffle(m.team_rank(), 0);
  });
  EXPECT_THAT(said, HasSubstr("lane 0 is at shuffle of 4 bytes, but lane 1 has ended"));
}

TYPED_TEST(lockstep_lanes_of, lanes_at_different_operations_are_an_error) {
  using lanes = TypeParam;
  auto const other = [](lockstep_member const& m) { return m.team_rank() == 7; };

  auto said = complaint(lanes::size, [&](lockstep_member const& m) {
    if (other(m)) lanes::shuffle_up(m.team_rank(), 1);
    else lanes::shuffle_xor(m.team_rank(), 1);
  });
  EXPECT_THAT(said, HasSubstr("lane 6 is at shuffle_xor of 4 bytes, but lane 7 is at shuffle_up of 4 bytes"));

  said = complaint(lanes::size, [&](lockstep_member const& m) {
    if (other(m)) lanes::shuffle(1.0, 0);
    else lanes::shuffle(1.0f, 0);
  });
  EXPECT_THAT(said, HasSubstr("is at shuffle of 4 bytes, but lane 7 is at shuffle of 8 bytes"));
}

TYPED_TEST(lockstep_lanes_of, lanes_that_do_not_exist_are_an_error) {
  using lanes = TypeParam;
  auto said = complaint(lanes::size + 8, [](lockstep_member const&) { lanes::ballot(true); });
  EXPECT_THAT(said, HasSubstr("wavefront 1 of"));
  EXPECT_THAT(said, HasSubstr("but lane 8 does not exist"));

  said = complaint(lanes::size, [](lockstep_member const& m) { lanes::shuffle(m.team_rank(), lanes::size); });
  EXPECT_THAT(said, HasSubstr("shuffle of lane " + std::to_string(lanes::size) + " of " + std::to_string(lanes::size)));
}

TYPED_TEST(lockstep_lanes_of, what_is_uniform_is_the_same_in_all_lanes) {
  using lanes = TypeParam;
  auto said = complaint(2 * lanes::size, [](lockstep_member const& m) {
    int const wavefront = m.team_rank() / lanes::size;
    EXPECT_EQ(lanes::uniform(wavefront), wavefront);
  });
  EXPECT_EQ(said, "");
  said = complaint(lanes::size, [](lockstep_member const& m) { lanes::uniform(m.team_rank() == 3 ? 8 : 1); });
  EXPECT_THAT(said, HasSubstr("uniform: lane 0 has "));
}

TEST(lockstep_league, teams_have_their_numbers_and_fresh_scratch) {
  lockstep_league league(256);
  std::vector<int> seen;
  league.run(3, 4, [&](lockstep_league_member const& m) {
    auto& word = *static_cast<std::uint32_t*>(m.team_scratch(0).get_shmem_aligned(sizeof(std::uint32_t), 64));
    auto& next = *static_cast<double*>(m.team_scratch(0).get_shmem_aligned(sizeof(double), alignof(double)));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&word) % 64, 0u);
    EXPECT_NE(static_cast<void*>(&word), static_cast<void*>(&next));
    if (m.team_rank() == 2) {
      EXPECT_EQ(word, 0xa5a5a5a5u);
      word = static_cast<std::uint32_t>(m.league_rank());
    }
    m.team_barrier();
    EXPECT_EQ(word, static_cast<std::uint32_t>(m.league_rank()));
    if (m.team_rank() == 0) seen.push_back(m.league_rank());
    EXPECT_EQ(m.league_size(), 3);
  });
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2}));
  EXPECT_THROW(league.run(1, 1, [](lockstep_league_member const& m) { m.team_scratch(0).get_shmem_aligned(257, 1); }),
               lockstep_error);
}

}  // namespace
