// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <chrono>
#include <cstdio>
#include <new>
#include <string>

namespace apps {

/// Shows on standard error how far a run is: a bar on a terminal, a line every 10 seconds anywhere else. For one rank.
class progress {
 public:
  using clock = std::chrono::steady_clock;

  /// shown: false prints nothing at all.
  explicit progress(bool shown);
  /// For tests: another stream, and how often a line is printed there.
  progress(std::FILE* to, bool terminal, clock::duration between);
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  /// Removes the bar.
  ~progress() { clear(); }

  /// The part `done` of the work, more than 0 and at most 1, is done. Where the last output is old enough, prints
  /// "words(), 45 %, 1 min 5 s left"; words gets the seconds since the start. Cost: one look at the clock.
  template <class Words>
  void advance(double done, Words const& words) {
    if (to_ == nullptr || clock::now() < next_) return;
    try {
      show(done, words(seconds()));
    } catch (std::bad_alloc const&) {  // only this rank is here: the others would wait for it
    }
  }
  /// A phase of unknown length begins: "link, after 12 s". On a terminal it is shown at once.
  void enter(std::string const& phase);
  /// Removes the bar, so that other lines can be printed.
  void clear();

 private:
  double seconds() const { return std::chrono::duration<double>(clock::now() - begin_).count(); }
  void show(double done, std::string const& words);
  void print(std::string const& text);

  std::FILE* to_;  ///< null: nothing is shown
  bool terminal_, bar_ = false;
  clock::duration between_;
  clock::time_point begin_, next_;
};

}  // namespace apps
