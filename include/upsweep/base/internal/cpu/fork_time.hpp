// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace upsweep::internal {

/// What a launch costs the calling thread at present, in nanoseconds, as launches have shown: 0.5 us where threads spin
/// between launches, 5 to 100 us where they sleep, and 4 to 40 ms where other processes have the cores: a thread that
/// waits at the end of a launch spins until the system takes its core away. No runtime says which, and all change
/// while a program runs. It decides who works, not what results.
class fork_time {
 public:
  /// Whether work that one thread does in `alone` nanoseconds is done earlier by several.
  bool pays_for(std::int64_t alone) const { return alone > 2 * expected() + launch; }
  /// Whether work is so short that no launch pays, not even where threads spin and no other process has a core.
  static constexpr bool is_too_short(double alone) { return alone <= static_cast<double>(2 * least + launch); }

  /// A launch has cost so much. What is expected is about the mean of the last launches: where other processes have the
  /// cores, one launch in three costs milliseconds.
  void launched(std::int64_t cost) {
    if (is_assumed_.load(std::memory_order_relaxed)) return;
    std::int64_t const now = std::clamp(cost, least, most), before = expected();
    int const change = now > 2 * before + launch ? 2 : -1;
    distrust_.store(std::clamp(distrust_.load(std::memory_order_relaxed) + change, 0, most_distrust),
                    std::memory_order_relaxed);
    expected_.store(before + (now - before) / 8, std::memory_order_relaxed);
  }
  /// Work was done by one thread because a launch seemed dear. What is expected falls by a part of what that took, so
  /// that a launch is tried again: soon behind one dear launch, and late where dear ones come again and again. A try
  /// takes more than its launch: its threads spin behind it for milliseconds, on cores that others need.
  void ran_serially(std::int64_t alone) {
    if (is_assumed_.load(std::memory_order_relaxed)) return;
    std::int64_t const part = alone / (8 << distrust_.load(std::memory_order_relaxed));
    expected_.store(std::max(expected() - std::max<std::int64_t>(part, 1), least), std::memory_order_relaxed);
  }
  /// Whether the next launch is to be watched: where launches are cheap one in four is, since the clock takes 0.1 us of
  /// the 0.5 that a launch takes there.
  bool wants_a_look() {
    if (expected() > launch || distrust_.load(std::memory_order_relaxed) > 0) return true;
    unsigned const number = launches_.load(std::memory_order_relaxed);
    launches_.store(number + 1, std::memory_order_relaxed);
    return number % 4 == 0;
  }
  std::int64_t expected() const { return expected_.load(std::memory_order_relaxed); }

  /// For tests of one thread and of several: nothing is learned until learn().
  void assume(std::int64_t cost) {
    is_assumed_.store(true, std::memory_order_relaxed);
    expected_.store(cost, std::memory_order_relaxed);
  }
  void learn() {
    expected_.store(first_guess, std::memory_order_relaxed);
    distrust_.store(0, std::memory_order_relaxed);
    is_assumed_.store(false, std::memory_order_relaxed);
  }

  /// Assumed, every launch pays.
  static constexpr std::int64_t nothing = -1000000;
  /// What sharing takes beside the wait for threads: the way there and back, and data that lie in one core's cache.
  static constexpr std::int64_t launch = 1000;
  /// The least and the most that is believed of a launch. Where threads spin a launch takes 0.5 us.
  static constexpr std::int64_t least = 500;
  static constexpr std::int64_t most = 20 * 1000 * 1000;

 private:
  static constexpr std::int64_t first_guess = 1000;  // so that first calls try
  static constexpr int most_distrust = 6;

  std::atomic<std::int64_t> expected_{first_guess};
  std::atomic<int> distrust_{0};  ///< how many of the last launches were dear
  std::atomic<unsigned> launches_{0};
  std::atomic<bool> is_assumed_{false};
};

/// What all calls of the process have learned.
inline fork_time known_fork_time;

/// Watches one launch. Its threads, except the calling one, call began() first; the calling one calls ended() last.
/// The cost is the time until the last thread has begun, or what the calling thread waits at the end, if that is
/// longer. It waits for a quarter of its own time, too, where the work was shared unevenly: that is no cost of the
/// launch.
class fork_watch {
 public:
  fork_watch() : launched_(clock::now()), ended_(launched_) {}
  fork_watch(fork_watch const&) = delete;
  fork_watch& operator=(fork_watch const&) = delete;
  ~fork_watch() {
    std::int64_t wait = 0;
    if (ended_ != launched_) wait = nanoseconds(clock::now() - ended_) - nanoseconds(ended_ - launched_) / 4;
    known_fork_time.launched(std::max(wait, last_.load(std::memory_order_relaxed)));
  }

  void began() {
    std::int64_t const now = nanoseconds(clock::now() - launched_);
    std::int64_t last = last_.load(std::memory_order_relaxed);
    while (last < now && !last_.compare_exchange_weak(last, now, std::memory_order_relaxed)) {
    }
  }
  void ended() { ended_ = clock::now(); }

 private:
  using clock = std::chrono::steady_clock;
  static std::int64_t nanoseconds(clock::duration t) { return std::chrono::nanoseconds(t).count(); }

  clock::time_point launched_, ended_;
  std::atomic<std::int64_t> last_{0};
};

}  // namespace upsweep::internal
