// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace nbody {

/// How far a run is, on standard error: a bar where that is a terminal, else a line every 10 seconds. For one rank.
class progress {
 public:
  using clock = std::chrono::steady_clock;

  /// From step `first` to `last` of so many particles. shown: false prints nothing at all.
  progress(bool shown, std::int64_t particles, std::int64_t first, std::int64_t last);
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  /// Takes the bar away.
  ~progress() { clear(); }

  /// Says so when it is time to: step is done. Cost: one look at the clock.
  void advance(std::int64_t step) {
    if (shown_ && clock::now() >= next_) show(step);
  }
  /// Takes the bar away, so that other lines can be printed.
  void clear();

 private:
  void show(std::int64_t step);

  bool shown_, terminal_, bar_ = false;
  std::int64_t particles_, first_, last_;
  clock::time_point begin_, next_;
};

/// "step 450 of 1000, 45 %, 3.2e+06 particle-steps/s, 1 min 5 s left".
std::string progress_text(std::int64_t particles, std::int64_t first, std::int64_t step, std::int64_t last,
                          double seconds);

}  // namespace nbody
