// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "early_end.hpp"

#include <signal.h>

namespace nbody {
namespace {

sig_atomic_t volatile sigterm_came = 0;

extern "C" void note_sigterm(int) { sigterm_came = 1; }

}  // namespace

void remember_sigterm() {
  struct sigaction action{};
  action.sa_handler = note_sigterm;
  action.sa_flags = SA_RESTART;  // a write that waits goes on
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
}

end_cause early_end::cause() const {
  if (sigterm_came != 0) return end_cause::sigterm;
  std::chrono::duration<double, std::ratio<3600>> const hours = std::chrono::steady_clock::now() - begin_;
  return hours.count() > max_hours_ ? end_cause::max_hours : end_cause::none;
}

char const* name_of(end_cause cause) { return cause == end_cause::sigterm ? "SIGTERM" : "--max-hours"; }

}  // namespace nbody
