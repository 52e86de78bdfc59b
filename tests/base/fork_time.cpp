// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What a process learns of launches, in nanoseconds: when a second thread pays.

#include "../oracle/forks.hpp"

#include <upsweep/base/internal/cpu/fork_time.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>

namespace {

using upsweep::internal::fork_time;

/// Calls of one size until a launch is tried; at most `most`.
int calls_until_a_launch(fork_time& forks, std::int64_t alone, int most) {
  int calls = 0;
  for (; calls < most && !forks.pays_for(alone); ++calls) forks.ran_serially(alone);
  return calls;
}

TEST(fork_time, first_calls_try) {
  fork_time const forks;
  EXPECT_TRUE(forks.pays_for(6000));
  EXPECT_FALSE(forks.pays_for(3000));
}

TEST(fork_time, threads_that_spin_get_short_work) {
  fork_time forks;
  for (int k = 0; k < 20; ++k) forks.launched(500);
  EXPECT_TRUE(forks.pays_for(2500));
  EXPECT_FALSE(forks.pays_for(1900));
}

TEST(fork_time, threads_that_sleep_get_long_work_only) {
  fork_time forks;
  for (int k = 0; k < 20; ++k) forks.launched(50000);
  EXPECT_FALSE(forks.pays_for(90000));
  EXPECT_TRUE(forks.pays_for(110000));
}

// Tries, of which each takes what threads need to wake, take little of the time.
TEST(fork_time, tries_again_one_day) {
  fork_time forks;
  std::int64_t const alone = 5000, wake = 50000;
  std::int64_t tries = 0, all = 0;
  for (int k = 0; k < 100; ++k) {
    int const calls = calls_until_a_launch(forks, alone, 1000000);
    ASSERT_LT(calls, 1000000);
    forks.launched(wake);
    tries += wake;
    all += calls * alone + wake;
  }
  EXPECT_LT(static_cast<double>(tries), 0.05 * static_cast<double>(all));
  // Threads that have begun to spin are noticed.
  calls_until_a_launch(forks, alone, 1000000);
  for (int k = 0; k < 5; ++k) forks.launched(300);
  EXPECT_TRUE(forks.pays_for(alone));
}

TEST(fork_time, one_disturbed_launch_is_not_believed_for_long) {
  fork_time forks;
  forks.launched(std::int64_t(10) * 1000 * 1000 * 1000);
  EXPECT_TRUE(forks.pays_for(fork_time::most));
  // Work of a millisecond is shared again after some milliseconds, and one of a tenth after some tens.
  EXPECT_LT(calls_until_a_launch(forks, 1000000, 1000), 100);
  EXPECT_LT(calls_until_a_launch(forks, 100000, 10000), 1000);
  forks.launched(-1);  // clocks of two cores
  EXPECT_GE(forks.expected(), 0);
}

// Beside other processes one launch in three costs milliseconds, and the mean counts.
TEST(fork_time, busy_cores_are_left_to_others) {
  fork_time forks;
  std::int64_t const alone = 1000000;
  std::int64_t tries = 0, calls = 0;
  for (int k = 0; k < 300; ++k) {
    calls += calls_until_a_launch(forks, alone, 1000000);
    forks.launched(k % 3 == 0 ? 8000000 : 500);
    ++tries;
  }
  EXPECT_GT(calls, 4 * tries);
  // Long work is shared.
  EXPECT_TRUE(forks.pays_for(20000000));
}

TEST(fork_time, cheap_launches_are_watched_one_time_in_four) {
  fork_time forks;
  auto const looks = [&forks] {
    int all = 0;
    for (int k = 0; k < 40; ++k) all += forks.wants_a_look() ? 1 : 0;
    return all;
  };
  for (int k = 0; k < 20; ++k) forks.launched(500);
  EXPECT_EQ(looks(), 10);
  forks.launched(1000000);
  EXPECT_EQ(looks(), 40);
}

TEST(fork_time, an_assumed_cost_stays_until_costs_are_learned_again) {
  fork_time forks;
  forks.assume(fork_time::nothing);
  for (int k = 0; k < 20; ++k) forks.launched(10000000);
  EXPECT_TRUE(forks.pays_for(0));
  forks.assume(fork_time::most);
  for (int k = 0; k < 20; ++k) forks.ran_serially(fork_time::most);
  EXPECT_FALSE(forks.pays_for(fork_time::most));
  forks.learn();
  EXPECT_TRUE(forks.pays_for(6000));
}

/// What a watch made of a launch.
template <class Launch>
std::int64_t watched(Launch const& launch) {
  auto& known = upsweep::internal::known_fork_time;
  for (int k = 0; k < 100; ++k) known.launched(0);
  {
    upsweep::internal::fork_watch watch;
    launch(watch);
  }
  return known.expected();
}

TEST(fork_time, a_watch_tells_when_the_last_thread_began) {
  oracle::learned_forks const learned;
  EXPECT_GE(watched([](auto& watch) {
              std::this_thread::sleep_for(std::chrono::microseconds(80));
              std::thread([&] { watch.began(); }).join();
            }),
            10000);
  EXPECT_LT(watched([](auto&) {}), fork_time::least + 10);  // nobody began
}

TEST(fork_time, a_watch_tells_what_the_calling_thread_waits_at_the_end) {
  oracle::learned_forks const learned;
  EXPECT_GE(watched([](auto& watch) {
              watch.ended();
              std::this_thread::sleep_for(std::chrono::microseconds(800));
            }),
            100000);
}

}  // namespace
