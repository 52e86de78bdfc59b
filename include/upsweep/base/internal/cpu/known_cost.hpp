// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <atomic>
#include <cstddef>

namespace upsweep::internal {

/// What an index of one kernel cost the calling thread when it last looked. A call that is like the last one need not
/// look again: looking takes 0.4 us or more, in which the others wait. It decides who works, not what results.
class known_cost {
 public:
  /// Nanoseconds for so many indices on one thread; 0 as long as nobody has looked.
  double expect(std::size_t count) const {
    return static_cast<double>(each_.load(std::memory_order_relaxed)) * static_cast<double>(count);
  }
  void looked(double nanoseconds_each) { each_.store(static_cast<float>(nanoseconds_each), std::memory_order_relaxed); }
  /// A launch was made without a look. What is believed falls, so that some calls later one looks again: the kernel may
  /// have had data from memory the last time, or another functor's.
  void believed() { each_.store(0.9375f * each_.load(std::memory_order_relaxed), std::memory_order_relaxed); }

 private:
  std::atomic<float> each_{0};
};

}  // namespace upsweep::internal
