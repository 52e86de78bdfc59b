// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/fork_time.hpp>

#include <cstdint>

namespace oracle {

/// CPU calls are shared by all threads, even where the machine is so busy that one alone would be faster: tests are to
/// see the threads. The main function of the test programs calls this.
inline void fork_always() { upsweep::internal::known_fork_time.assume(upsweep::internal::fork_time::nothing); }
/// The calling thread does everything.
inline void fork_never() { upsweep::internal::known_fork_time.assume(upsweep::internal::fork_time::most * 1000); }

/// Until the end of the scope launches show what they cost, as in users' programs.
struct learned_forks {
  learned_forks() { upsweep::internal::known_fork_time.learn(); }
  ~learned_forks() { fork_always(); }
  learned_forks(learned_forks const&) = delete;
  learned_forks& operator=(learned_forks const&) = delete;
};
/// Until the end of the scope the calling thread does everything.
struct no_forks {
  no_forks() { fork_never(); }
  ~no_forks() { fork_always(); }
  no_forks(no_forks const&) = delete;
  no_forks& operator=(no_forks const&) = delete;
};

/// Until the end of the scope a launch is expected to cost so many nanoseconds.
struct assumed_forks {
  explicit assumed_forks(std::int64_t cost) { upsweep::internal::known_fork_time.assume(cost); }
  ~assumed_forks() { fork_always(); }
  assumed_forks(assumed_forks const&) = delete;
  assumed_forks& operator=(assumed_forks const&) = delete;
};

}  // namespace oracle
