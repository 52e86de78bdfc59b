// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "types.hpp"

#include <array>
#include <chrono>
#include <cstddef>

namespace nbody {

enum class phase { start, migrate, halo, neighbor, force, integrate, output, count };

inline constexpr std::array<char const*, static_cast<std::size_t>(phase::count)> phase_names{
    "start", "migrate", "halo", "neighbor", "force", "integrate", "output"};

/// Seconds that this rank has spent in each phase.
class phase_clock {
 public:
  explicit phase_clock(space_type const& space) : space_(space) {}

  /// Runs f and books its time, kernels included.
  template <class F>
  void time(phase which, F&& f) {
    time_calls(which, [&] {
      f();
      space_.fence("upsweep-nbody::time");
    });
  }
  /// The same without a wait for kernels: on GPUs their time is booked where something waits for them.
  template <class F>
  void time_calls(phase which, F&& f) {
    auto const begin = std::chrono::steady_clock::now();
    f();
    seconds_[static_cast<std::size_t>(which)] +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  std::array<double, phase_names.size()> const& seconds() const { return seconds_; }

 private:
  space_type space_;
  std::array<double, phase_names.size()> seconds_{};
};

}  // namespace nbody
