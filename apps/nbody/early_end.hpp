// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <chrono>

namespace nbody {

/// Why a run ends before the last step that it was asked for. Of two causes the later one here counts.
enum class end_cause : int { none, max_hours, sigterm };

/// From now on SIGTERM does not end the process: it is remembered, and early_end knows of it.
void remember_sigterm();

/// Watches on one rank whether the run shall end early. Ranks learn of a signal at different times, so they agree on
/// the step (neighborhood::look_at_moves).
class early_end {
 public:
  /// max_hours: how long the run may take from now on; infinity: as long as it likes.
  explicit early_end(double max_hours) : max_hours_(max_hours) {}

  /// What this rank knows. Cost: one look at the clock.
  end_cause cause() const;

 private:
  double max_hours_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// "SIGTERM" or "--max-hours".
char const* name_of(end_cause cause);

}  // namespace nbody
