// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "progress.hpp"

#include <upsweep/base/kokkos_compat.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace apps {

/// The seconds that a program spends in each of its phases, in the order in which they were first entered.
class phase_times {
 public:
  /// shown: shows each phase that begins; null: none is shown.
  explicit phase_times(progress* shown = nullptr) : shown_(shown) {}

  /// Runs f, waits for the instance, and adds the time to the phase of this name. Returns what f returns.
  template <class ExecutionSpace, class F>
  auto time(ExecutionSpace const& space, std::string const& name, F&& f) {
    struct stop {
      ExecutionSpace const& space;
      double& seconds;
      std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
      ~stop() {
        space.fence("upsweep-apps::phase_times");
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      }
    };
    if (shown_ != nullptr) shown_->enter(name);
    stop const at_end{space, of(name)};
    return f();
  }

  /// progress::advance, where phases are shown.
  template <class Words>
  void advance(double done, Words const& words) const {
    if (shown_ != nullptr) shown_->advance(done, words);
  }

  double total() const {
    double sum = 0;
    for (auto const& phase : phases_) sum += phase.second;
    return sum;
  }
  std::vector<std::pair<std::string, double>> const& phases() const { return phases_; }

 private:
  double& of(std::string const& name) {
    for (auto& phase : phases_)
      if (phase.first == name) return phase.second;
    return phases_.emplace_back(name, 0.0).second;
  }

  progress* shown_;
  std::vector<std::pair<std::string, double>> phases_;
};

}  // namespace apps
