// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Work on ranges of indices that the calling thread may begin alone: each index once, by whichever thread.

#include "../oracle/forks.hpp"

#include <upsweep/base/internal/cpu/cpu_range.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using host = Kokkos::DefaultHostExecutionSpace;

std::string name() { return "upsweep::test::range"; }

/// How often each index was called. From `dear` on, an index takes longer than a fork.
std::vector<int> calls_of(host const& space, std::size_t count, std::size_t dear) {
  std::vector<std::atomic<int>> calls(count);
  upsweep::internal::run_on_cpu(space, name, count, [&](std::int64_t i) {
    if (static_cast<std::size_t>(i) >= dear) std::this_thread::sleep_for(std::chrono::microseconds(50));
    ++calls[static_cast<std::size_t>(i)];
  });
  return {calls.begin(), calls.end()};
}

TEST(cpu_range, every_index_is_called_once) {
  for (std::size_t count : {0u, 1u, 2u, 3u, 100u, 1000u, 1000000u})
    EXPECT_EQ(calls_of(host(), count, count), std::vector<int>(count, 1)) << count;
}

TEST(cpu_range, also_if_others_help) {
  for (std::size_t dear : {0u, 1u, 5u, 80u, 99u})
    EXPECT_EQ(calls_of(host(), 100, dear), std::vector<int>(100, 1)) << dear;
}

/// The threads that ran 1000 indices.
std::size_t threads_of_a_range() {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  upsweep::internal::run_on_cpu(host(), name, 1000, [&](std::int64_t) {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    std::lock_guard const lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  return seen.size();
}
// What launches cost decides, whatever the work takes.
TEST(cpu_range, dear_launches_leave_it_to_the_calling_thread) {
  {
    oracle::no_forks const none;
    EXPECT_EQ(threads_of_a_range(), 1u);
  }
  if (host().concurrency() == 1) return;
  EXPECT_GT(threads_of_a_range(), 1u);
}

TEST(cpu_range, every_index_is_called_once_where_costs_are_learned) {
  oracle::learned_forks const learned;
  for (std::size_t dear : {0u, 1u, 80u, 10000u})
    EXPECT_EQ(calls_of(host(), 100, dear), std::vector<int>(100, 1)) << dear;
}

// A piece in which another process had the core does not count, unless the next one says the same.
TEST(cpu_range, a_piece_that_lost_its_core_is_not_believed) {
  upsweep::internal::piece_times times;
  times.add(10, 2000);
  times.add(10, 4000000);
  times.add(10, 2000);
  EXPECT_EQ(times.expect(100), 20000);
  EXPECT_TRUE(times.say_something(0));
  EXPECT_FALSE(times.say_something(1000000));
  upsweep::internal::piece_times dear;
  for (int k = 0; k < 3; ++k) dear.add(1, 5000000);
  EXPECT_EQ(dear.expect(1), 5000000);
}

// What the calling thread saw of a kernel holds for the next calls, and it looks again some calls later.
TEST(cpu_range, a_call_like_the_last_one_is_shared_at_once) {
  if (host().concurrency() == 1) GTEST_SKIP() << "there is one thread";
  oracle::assumed_forks const known(1000);
  auto const sleep = [](std::size_t begin, std::size_t end) {
    std::this_thread::sleep_for(std::chrono::microseconds(20 * (end - begin)));
  };
  auto const label = [] { return name(); };
  // Costs are remembered by the type of the kernel, as long as the process lives. These are the test's own, so that it
  // can be repeated.
  upsweep::internal::known_cost cost;
  auto kernel = upsweep::internal::range_kernel::of_ranges(label, sleep);
  kernel.cost = &cost;
  auto const begun_alone = [&] { return upsweep::internal::begin_ranges_on_cpu(host(), kernel, 1000, {}); };
  EXPECT_GT(begun_alone(), 0u);
  EXPECT_EQ(begun_alone(), 0u);
  int calls = 0;
  while (calls < 1000 && begun_alone() == 0) ++calls;
  EXPECT_LT(calls, 1000);
}

TEST(cpu_range, threads_take_tickets_of_their_own_first) {
  for (std::size_t threads : {2u, 3u, 70u}) {
    upsweep::internal::guided_tickets const tickets(10000, threads);
    upsweep::internal::ticket_queue queue(tickets);
    std::vector<int> taken(tickets.count());
    std::size_t first_ticket = 0, number = 0;
    queue.for_each(1, [&](std::size_t, std::size_t, std::size_t ticket) {
      if (number++ == 0) first_ticket = ticket;
      ++taken[ticket];
    });
    EXPECT_EQ(first_ticket, 1u) << threads;
    EXPECT_EQ(taken, std::vector<int>(tickets.count(), 1)) << threads;  // where no other thread comes
    queue.for_each(0, [&](std::size_t, std::size_t, std::size_t) { ADD_FAILURE() << threads; });
  }
}

// A few indices that take milliseconds are shared, too.
TEST(cpu_range, few_dear_indices_are_shared) {
  if (host().concurrency() == 1) GTEST_SKIP() << "there is one thread";
  oracle::learned_forks const learned;
  std::size_t alone = 0;
  auto const caller = std::this_thread::get_id();
  // A busy machine may not run a second thread in time; then again.
  for (int k = 0; k < 20 && (k == 0 || alone == 5); ++k) {
    std::atomic<std::size_t> of_caller{0};
    upsweep::internal::run_on_cpu(host(), name, 5, [&](std::int64_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      if (std::this_thread::get_id() == caller) ++of_caller;
    });
    alone = of_caller;
  }
  EXPECT_LT(alone, 5u);
}

// Calls in place depend on it.
TEST(cpu_range, one_thread_goes_in_order) {
#if defined(KOKKOS_ENABLE_OPENMP)
  Kokkos::OpenMP const one(1);
#else
  host const one;
  if (one.concurrency() != 1) GTEST_SKIP() << "there is no instance of one thread";
#endif
  std::vector<std::int64_t> seen;
  upsweep::internal::run_on_cpu(one, name, 5000, [&](std::int64_t i) { seen.push_back(i); });
  ASSERT_EQ(seen.size(), 5000u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

}  // namespace
