// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace upsweep::internal {

/// How long other threads take to begin with a launch, as launches have shown: 0.5 us where they spin between launches,
/// and 5 to 100 us where they sleep. No runtime says which, and both change while a program runs. It decides who works,
/// not what results.
class fork_time {
 public:
  /// Whether work that one thread does in `alone` nanoseconds is done earlier by two.
  bool pays_for(std::int64_t alone) const { return alone > 2 * expected() + launch; }

  /// The last thread of a launch began so many nanoseconds behind it. Half of that is believed: another process may
  /// have had the core.
  void launched(std::int64_t last_began) {
    std::int64_t const now = std::clamp<std::int64_t>(last_began, 0, most);
    expected_.store((expected() + now) / 2, std::memory_order_relaxed);
  }
  /// Work was done by one thread because a launch seemed dear. What is expected falls by a part of what that took, so
  /// that a launch is tried again one day: where threads sleep, tries take a hundredth of all time.
  void stayed_alone(std::int64_t alone) {
    expected_.store(std::max<std::int64_t>(expected() - std::max<std::int64_t>(alone / 128, 1), 0),
                    std::memory_order_relaxed);
  }
  std::int64_t expected() const { return expected_.load(std::memory_order_relaxed); }

  /// What sharing takes beside the wait for threads: the way there and back, and data that lie in one core's cache.
  static constexpr std::int64_t launch = 3000;
  /// The most that is believed of a launch.
  static constexpr std::int64_t most = 200000;

 private:
  std::atomic<std::int64_t> expected_{1000};  // so that first calls try
};

/// What all calls of the process have learned.
inline fork_time known_fork_time;

/// Watches one launch. Its threads, except the calling one, call began() first.
class fork_watch {
 public:
  fork_watch() : launched_(clock::now()) {}
  fork_watch(fork_watch const&) = delete;
  fork_watch& operator=(fork_watch const&) = delete;
  ~fork_watch() { known_fork_time.launched(last_.load(std::memory_order_relaxed)); }

  void began() {
    std::int64_t const now = std::chrono::nanoseconds(clock::now() - launched_).count();
    std::int64_t last = last_.load(std::memory_order_relaxed);
    while (last < now && !last_.compare_exchange_weak(last, now, std::memory_order_relaxed)) {
    }
  }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point launched_;
  std::atomic<std::int64_t> last_{0};
};

}  // namespace upsweep::internal
