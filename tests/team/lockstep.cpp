// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "every_size.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/team/kogge_stone.hpp>
#include <upsweep/team/testing/counting.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

namespace {

using namespace team_tests;
using testing::HasSubstr;

// What run() says when it throws a lockstep_error, or nothing.
template <class Body>
std::string complaint(lockstep_team& team, int size, Body const& body) {
  try {
    team.run(size, body);
  } catch (lockstep_error const& e) {
    return e.what();
  }
  return {};
}

TEST(lockstep, threads_run_to_their_barrier_in_random_order) {
  for (std::uint64_t seed : {0, 1, 2}) {
    lockstep_team team(seed);
    std::vector<std::vector<int>> orders(3);
    int const barriers = team.run(100, [&](lockstep_member const& m) {
      for (std::size_t phase = 0; phase < 3; ++phase) {
        orders[phase].push_back(m.team_rank());
        if (phase < 2) m.team_barrier();
      }
    });
    EXPECT_EQ(barriers, 2);
    for (auto& order : orders) {
      EXPECT_EQ(std::is_sorted(order.begin(), order.end()), seed == 0);
      std::sort(order.begin(), order.end());
      EXPECT_EQ(order.size(), 100u);
      EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 100u);
    }
  }
}

TEST(lockstep, one_team_runs_many_sizes) {
  lockstep_team team;
  for (int size : {1, 1024, 3, 700, 1}) {
    std::vector<int> passed(static_cast<std::size_t>(size));
    EXPECT_EQ(team.run(size,
                       [&](lockstep_member const& m) {
                         EXPECT_EQ(m.team_size(), size);
                         m.team_barrier();
                         ++passed[static_cast<std::size_t>(m.team_rank())];
                       }),
              1);
    EXPECT_EQ(passed, std::vector<int>(static_cast<std::size_t>(size), 1));
  }
  EXPECT_THROW(team.run(0, [](lockstep_member const&) {}), std::invalid_argument);
}

TEST(lockstep, finds_threads_that_skip_a_barrier) {
  lockstep_team team;
  auto const destroyed = std::make_shared<int>(0);
  auto const text = complaint(team, 4, [&](lockstep_member const& m) {
    auto const held = destroyed;
    m.team_barrier();
    if (m.team_rank() != 2) m.team_barrier();
  });
  EXPECT_EQ(
      text,
      "team of 4: 3 threads (the first is 0) wait at barrier number 2, which the others (the first is 2) never reach");
  EXPECT_EQ(destroyed.use_count(), 1) << "the threads that waited were not unwound";
  EXPECT_EQ(complaint(team, 4, [](lockstep_member const& m) { m.team_barrier(); }), "")
      << "the team is of no use any more";
}

TEST(lockstep, passes_on_what_a_thread_throws) {
  lockstep_team team;
  auto const body = [](lockstep_member const& m) {
    m.team_barrier();
    if (m.team_rank() == 5) throw std::range_error("five");
    m.team_barrier();
  };
  EXPECT_THROW(team.run(8, body), std::range_error);
  EXPECT_EQ(team.run(8, [](lockstep_member const& m) { m.team_barrier(); }), 1);
}

TEST(lockstep, finds_accesses_that_depend_on_the_order) {
  lockstep_team team;
  lockstep_array<int> a(team, 8);
  auto const self = [](lockstep_member const& m) { return m.team_rank(); };
  EXPECT_THAT(complaint(team, 8,
                        [&](auto const& m) {
                          a.data()[self(m)] = 1;
                          int const x = a.data()[(self(m) + 1) % 8];
                          (void)x;
                        }),
              HasSubstr("is read but"));
  EXPECT_THAT(complaint(team, 8, [&](auto const& m) { a.data()[0] = self(m); }), HasSubstr("is written but"));
  EXPECT_EQ(complaint(team, 8, [&](auto const& m) { a.data()[self(m)] = self(m); }), "");
  EXPECT_THAT(complaint(team, 8,
                        [&](auto const& m) {
                          int const x = a.data()[0];
                          if (self(m) == 3) a.data()[0] = x;
                          m.team_barrier();
                          int const y = a.data()[0];
                          if (self(m) == 3) a.data()[0] = y;
                        }),
              HasSubstr("slot 0 is"));
  EXPECT_EQ(complaint(team, 8,
                      [&](auto const& m) {
                        int const x = a.data()[0];
                        m.team_barrier();
                        if (self(m) == 3) a.data()[0] = x;
                        m.team_barrier();
                        int const y = a.data()[0];
                        EXPECT_EQ(y, x);
                      }),
            "");
  EXPECT_THAT(complaint(team, 1, [&](auto const&) { a.data()[8] = 1; }), HasSubstr("lies outside of 8 slots"));
  EXPECT_THAT(complaint(team, 1, [&](auto const&) { (a.data() + 1)[-2] = 1; }), HasSubstr("lies outside"));
  lockstep_array<int> fresh(team, 1);
  EXPECT_THAT(complaint(team, 1,
                        [&](auto const&) {
                          int const x = fresh.data()[0];
                          (void)x;
                        }),
              HasSubstr("never written"));
}

// Kogge-Stone with one of its barriers left out.
template <int Missing>
struct broken {
  template <class T>
  static constexpr std::size_t scratch_bytes(int size) {
    return sizeof(T) * static_cast<std::size_t>(size);
  }
  template <class Member, class Monoid, class Scratch>
  static typename Monoid::value_type inclusive_scan(Member const& m, typename Monoid::value_type value,
                                                    Monoid const& op, Scratch scratch) {
    int const rank = m.team_rank();
    scratch[rank] = value;
    for (int distance = 1; distance < m.team_size(); distance *= 2) {
      if (Missing != 1) m.team_barrier();
      typename Monoid::value_type const left = scratch[rank >= distance ? rank - distance : rank];
      if (Missing != 2) m.team_barrier();
      if (rank >= distance) scratch[rank] = value = op(left, value);
    }
    return value;
  }
};

template <class Algorithm>
int missing_barriers_found() {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (int size : {3, 4, 8, 33}) {  // with two threads the second barrier is not needed
      lockstep_team team(seed);
      lockstep_array<int> scratch(team, static_cast<std::size_t>(size));
      found += !complaint(team, size, [&](auto const& m) {
                  Algorithm::inclusive_scan(m, 1, upsweep::plus<int>{}, scratch.data());
                }).empty();
    }
  return found;
}

TEST(lockstep, finds_each_missing_barrier) {
  EXPECT_EQ(missing_barriers_found<broken<0>>(), 0);
  EXPECT_EQ(missing_barriers_found<broken<1>>(), 40);
  EXPECT_EQ(missing_barriers_found<broken<2>>(), 40);
}

TEST(lockstep, counts_operations_and_accesses) {
  lockstep_team team;
  lockstep_array<int> scratch(team, 8);
  std::uint64_t operations = 0;
  upsweep::team::testing::counting<upsweep::plus<int>> const op{{}, &operations};
  int const barriers = team.run(8, [&](lockstep_member const& m) {
    int total = 0;
    upsweep::team::kogge_stone::inclusive_scan(m, 1, op, scratch.data(), total);
  });
  EXPECT_EQ(operations, 8u * 3 - 7);
  EXPECT_EQ(barriers, 2 * 3 + 2);
  EXPECT_EQ(scratch.writes(), 8u + 7 + 6 + 4);
  EXPECT_EQ(scratch.reads(), 3u * 8 + 8);
}

}  // namespace
