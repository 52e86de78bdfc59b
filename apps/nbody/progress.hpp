// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace nbody {

/// Shows on standard error how far a run is: a bar on a terminal, a line every 10 seconds anywhere else. For one rank.
class progress {
 public:
  using clock = std::chrono::steady_clock;

  /// A run from step `first` to `last`. shown: false prints nothing at all.
  progress(bool shown, std::int64_t particles, std::int64_t first, std::int64_t last);
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  /// Removes the bar.
  ~progress() { clear(); }

  /// Call it when `step` is done. Prints when the last output is old enough. Cost: one look at the clock.
  void advance(std::int64_t step) {
    if (shown_ && clock::now() >= next_) show(step);
  }
  /// Removes the bar, so that other lines can be printed.
  void clear();

 private:
  void show(std::int64_t step);
  void print(std::int64_t step);

  bool shown_, terminal_, bar_ = false;
  std::int64_t particles_, first_, last_;
  clock::time_point begin_, next_;
};

/// "step 450 of 1000, 45 %, 3.2e+06 particle-steps/s, 1 min 5 s left".
std::string progress_text(std::int64_t particles, std::int64_t first, std::int64_t step, std::int64_t last,
                          double seconds);

}  // namespace nbody
