// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <signal.h>

#include <ctime>

namespace upsweep {

/// While it lives, a write beyond the limit on file sizes (RLIMIT_FSIZE) on this thread gives the error EFBIG; without
/// it SIGXFSZ would end the process: `size_limit_guard const guard;` before other libraries write to a
/// file_replacement's part.
class size_limit_guard {
 public:
  size_limit_guard() {
    ::sigemptyset(&signal_);
    ::sigaddset(&signal_, SIGXFSZ);
    sigset_t pending;
    // A signal that was pending before is the caller's.
    was_pending_ = ::sigpending(&pending) == 0 && ::sigismember(&pending, SIGXFSZ) == 1;
    blocked_ = ::pthread_sigmask(SIG_BLOCK, &signal_, &old_) == 0;
  }
  size_limit_guard(size_limit_guard const&) = delete;
  size_limit_guard& operator=(size_limit_guard const&) = delete;
  ~size_limit_guard() {
    if (!blocked_) return;
    sigset_t pending;
    // sigwait() returns at once, since the signal is pending on this thread.
    if (!was_pending_ && ::sigpending(&pending) == 0 && ::sigismember(&pending, SIGXFSZ) == 1) {
      int taken = 0;
      ::sigwait(&signal_, &taken);
    }
    ::pthread_sigmask(SIG_SETMASK, &old_, nullptr);
  }

 private:
  sigset_t signal_, old_;
  bool was_pending_ = false, blocked_ = false;
};

}  // namespace upsweep
