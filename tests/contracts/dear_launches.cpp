// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Where a launch is known to be dear, as beside other processes, CPU calls stay on the calling thread. Functors of the
// calls see which threads run them.

#include "../oracle/forks.hpp"

#include <upsweep/upsweep.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using host = Kokkos::DefaultHostExecutionSpace;
template <class T>
using host_view = Kokkos::View<T*, Kokkos::HostSpace>;

std::mutex seen_mutex;
std::set<std::thread::id> seen;
int patience = 0;  // how often a thread that is alone waits for others
void see_this_thread() {
  thread_local std::thread::id const id = std::this_thread::get_id();
  {
    std::lock_guard const lock(seen_mutex);
    seen.insert(id);
    if (seen.size() > 1 || patience == 0) return;
    --patience;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

struct value_of {
  std::int64_t operator()(std::size_t i) const {
    if (i % 64 == 0) see_this_thread();
    return static_cast<std::int64_t>(i % 100);
  }
};
struct is_even {
  bool operator()(std::int64_t x) const {
    if (x == 0) see_this_thread();
    return x % 2 == 0;
  }
};
struct equal {
  bool operator()(std::int64_t a, std::int64_t b) const {
    if (a % 16 == 0) see_this_thread();
    return a / 7 == b / 7;
  }
};
struct seen_plus {
  using value_type = std::int64_t;
  static std::int64_t identity() { return 0; }
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    if (a % 64 == 0) see_this_thread();
    return a + b;
  }
};
struct bin_of {
  int operator()(std::size_t i) const {
    if (i % 64 == 0) see_this_thread();
    return static_cast<int>(i % 64);
  }
};
struct emit_two {
  void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    if (i % 64 == 0) see_this_thread();
    emit(1);
    emit(2);
  }
};

struct position_of {
  Kokkos::Array<double, 3> operator()(std::size_t i) const {
    if (i % 16 == 0) see_this_thread();
    return {static_cast<double>(i % 16), static_cast<double>(i / 16 % 16), static_cast<double>(i / 256)};
  }
};
struct see_pair {
  void operator()(int i, int) const {
    if (i % 16 == 0) see_this_thread();
  }
};
struct see_neighbor {
  void operator()(std::size_t i, int, int& sum) const {
    if (i % 16 == 0) see_this_thread();
    ++sum;
  }
};
struct drop {
  void operator()(std::size_t, int) const {}
};

/// Lists, which the library has for the default execution space.
template <class Space, class Count>
void calls_of_neighbors(Space const& space, Count const& count) {
  if constexpr (std::is_same_v<Space, Kokkos::DefaultExecutionSpace>) {
    using upsweep::neighbor_builder;
    std::int64_t const n = 4096;
    upsweep::box<double> const box({0, 0, 0}, {16, 16, 16});
    count([&] { static_cast<void>(upsweep::neighbor_list(space, n, position_of{}, box, 1.5)); });
    for (auto const builder : {neighbor_builder::automatic, neighbor_builder::plain})
      count([&] { upsweep::for_each_pair(space, n, position_of{}, box, 1.5, see_pair{}, {.builder = builder}); });
    upsweep::neighbor_list const list(space, n, position_of{}, box, 1.5);
    count([&] { upsweep::reduce_rows<int>(space, list.view(), see_neighbor{}, drop{}); });
  }
}

/// How many threads each call runs on. A thread that is alone waits a millisecond for others, `waits` times in a call:
/// on a busy machine it would have done everything before another one runs.
std::vector<std::size_t> threads_of_calls(int waits) {
  host const space;
  std::size_t const n = 1 << 18;
  host_view<std::int64_t> const in("in", n), out("out", n), other("other", n);
  for (std::size_t i = 0; i < n; ++i) in(i) = static_cast<std::int64_t>(i % 1000);
  host_view<int> const bins("bins", 64);
  std::vector<std::size_t> threads;
  auto const count = [&](auto const& call) {
    seen.clear();
    patience = waits;
    call();
    threads.push_back(seen.size());
  };
  count([&] { upsweep::exclusive_scan(space, value_of{}, out); });
  count([&] { static_cast<void>(upsweep::reduce(space, std::int64_t(n), value_of{}, upsweep::plus<std::int64_t>{})); });
  count([&] { upsweep::inclusive_scan_by_key(space, in, in, out, upsweep::plus<>{}, equal{}); });
  // Rows side by side, and rows with gaps between them.
  Kokkos::View<std::int64_t**, Kokkos::LayoutLeft, Kokkos::HostSpace> const columns("columns", 4096, 64);
  Kokkos::View<std::int64_t**, Kokkos::LayoutRight, Kokkos::HostSpace> const rows("rows", 64, 4096);
  Kokkos::deep_copy(columns, 1);
  Kokkos::deep_copy(rows, 1);
  auto const gaps = Kokkos::subview(rows, Kokkos::ALL, Kokkos::make_pair(0, 4000));
  count([&] { upsweep::batched_inclusive_scan(space, columns, columns, seen_plus{}); });
  count([&] { upsweep::batched_inclusive_scan(space, gaps, gaps, seen_plus{}); });
  count([&] { static_cast<void>(upsweep::unique(space, in, out, equal{})); });
  count([&] { static_cast<void>(upsweep::reduce_by_key(space, in, in, out, other, upsweep::plus<>{}, equal{})); });
  count([&] { upsweep::histogram(space, n, bin_of{}, bins); });
  count([&] { static_cast<void>(upsweep::compact(space, in, out, is_even{})); });
  count([&] { static_cast<void>(upsweep::partition(space, in, out, is_even{})); });
  count([&] { static_cast<void>(upsweep::pack_lists<int>(space, n, emit_two{})); });
  calls_of_neighbors(space, count);
  return threads;
}

TEST(dear_launches, calls_stay_on_the_calling_thread) {
  oracle::no_forks const none;
  for (std::size_t const threads : threads_of_calls(0)) EXPECT_EQ(threads, 1u);
}

TEST(dear_launches, cheap_ones_are_shared) {
  if (host().concurrency() == 1) GTEST_SKIP() << "the machine has one thread";
  auto const threads = threads_of_calls(200);
  for (std::size_t call = 0; call < threads.size(); ++call) EXPECT_GT(threads[call], 1u) << "call " << call;
}

}  // namespace
