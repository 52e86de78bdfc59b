// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Work on ranges of indices that the calling thread may begin alone: each index once, by whichever thread.

#include <upsweep/base/internal/cpu_range.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
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
