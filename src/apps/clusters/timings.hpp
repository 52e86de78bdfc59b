// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "types.hpp"

#include <chrono>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace clusters {

/// Seconds that this rank has spent in each phase, in the order in which they began.
class timings {
 public:
  explicit timings(space_type const& space) : space_(space) {}

  /// Runs f and books its time, kernels included.
  template <class F>
  auto time(std::string const& phase, F&& f) {
    auto const begin = std::chrono::steady_clock::now();
    auto const book = [&] {
      space_.fence("upsweep-clusters::time");
      add(phase, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    };
    if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
      f();
      book();
    } else {
      auto result = f();
      book();
      return result;
    }
  }
  std::vector<std::pair<std::string, double>> const& seconds() const { return seconds_; }

 private:
  void add(std::string const& phase, double seconds) {
    for (auto& [name, sum] : seconds_)
      if (name == phase) {
        sum += seconds;
        return;
      }
    seconds_.emplace_back(phase, seconds);
  }

  space_type space_;
  std::vector<std::pair<std::string, double>> seconds_;
};

}  // namespace clusters
