// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace upsweep::internal {

/// How long the calling thread may work alone on what others could share. Waking them takes 1 us where threads spin
/// between launches, and 5 to 100 us where they sleep. Nobody can know what a user's functor costs an element, so the
/// clock decides. It decides who works, not what results.
struct cpu_alone {
  using clock = std::chrono::steady_clock;
  static constexpr clock::duration most = std::chrono::microseconds(10);
  /// Before that much time a measurement says little: the first elements may come from memory. Reading the clock
  /// takes 25 to 70 ns.
  static constexpr clock::duration least = std::chrono::microseconds(1);
};

/// Calls kernel(0), kernel(1), ... on the calling thread, in order, as long as all `count` of them seem to take it
/// less than a fork.
/// Returns how many it called: all of them where the space has one thread.
template <class ExecutionSpace, class Kernel>
std::size_t begin_on_cpu(ExecutionSpace const& space, std::size_t count, Kernel const& kernel) {
  using clock = cpu_alone::clock;
  std::size_t done = 0;
  auto const go_to = [&](std::size_t end) {
    for (; done < end; ++done) kernel(static_cast<std::int64_t>(done));
  };
  if (space.concurrency() == 1) {
    go_to(count);
    return done;
  }
  auto const start = clock::now();
  for (std::size_t piece = 1; done < count;) {
    go_to(std::min(done + piece, count));
    if (done == count) break;
    auto const taken = clock::now() - start;
    double const share = static_cast<double>(done) / static_cast<double>(count);
    if (taken < cpu_alone::least) piece *= 4;
    else if (std::chrono::duration<double>(taken) > share * std::chrono::duration<double>(cpu_alone::most)) break;
  }
  return done;
}

/// Calls kernel(i) for i from 0 to count - 1, i an std::int64_t, on CPU threads. The calling thread begins
/// (begin_on_cpu), and others are woken for what is left; a single thread goes in order. make_label() returns the
/// label: tools see one kernel with it, or two.
template <class ExecutionSpace, class MakeLabel, class Kernel>
void run_on_cpu(ExecutionSpace const& space, MakeLabel const& make_label, std::size_t count, Kernel const& kernel) {
  if (count == 0) return;
  std::size_t done = 0;
  if constexpr (compat::launches_wait<ExecutionSpace>) {
    compat::run_on_this_thread(space, make_label, [&] { done = begin_on_cpu(space, count, kernel); });
    if (done == count) return;
  }
  using policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(make_label(), policy(space, static_cast<std::int64_t>(done), static_cast<std::int64_t>(count)),
                       kernel);
}

}  // namespace upsweep::internal
