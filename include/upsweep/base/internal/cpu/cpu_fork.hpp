// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/fork_time.hpp>
#include <upsweep/base/internal/cpu/guided_tickets.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::internal {

/// Whether CPU threads are to share work that one does in `alone` nanoseconds, in this number of launches: what they
/// have cost decides. Where it is false, the caller does the work on its own thread, which is noted here.
template <class ExecutionSpace>
bool pays_to_share(ExecutionSpace const& space, double alone, int launches = 1) {
  if (space.concurrency() == 1) return false;
  if (known_fork_time.pays_for(static_cast<std::int64_t>(alone / launches))) return true;
  known_fork_time.ran_serially(static_cast<std::int64_t>(alone));
  return false;
}

/// A kernel of CPU threads that lets the watch know when they begin and when the calling thread ends.
template <class Kernel>
struct watched_kernel {
  Kernel const* kernel;
  fork_watch* watch;
  void operator()(int thread) const {
    if (thread > 0) watch->began();
    (*kernel)(thread);
    if (thread == 0) watch->ended();
  }
};

/// Calls kernel(0) ... kernel(threads - 1), an index a thread, and learns what the launch costs. make_label() returns
/// the label. Most launches on CPU threads go this way. Pre: launches_wait<ExecutionSpace>.
template <class ExecutionSpace, class MakeLabel, class Kernel>
void fork_on_cpu(ExecutionSpace const& space, MakeLabel const& make_label, std::size_t threads, Kernel const& kernel) {
  static_assert(compat::launches_wait<ExecutionSpace>);
  if (threads == 1) return compat::run_on_this_thread(space, make_label, [&] { kernel(0); });
  fork_watch watch;
  Kokkos::parallel_for(make_label(),
                       Kokkos::RangePolicy<ExecutionSpace>(space, 0, static_cast<int>(threads)).set_chunk_size(1),
                       watched_kernel<Kernel>{&kernel, &watch});
}

/// The same for `count` tiles that threads take by ticket: kernel(first, last, ticket) of tiles first ... last - 1.
template <class ExecutionSpace, class MakeLabel, class Kernel>
void share_on_cpu(ExecutionSpace const& space, MakeLabel const& make_label, guided_tickets const& tickets,
                  Kernel const& kernel) {
  ticket_queue queue(tickets);
  fork_on_cpu(space, make_label, tickets.threads, [&](int) { queue.for_each(kernel); });
}

}  // namespace upsweep::internal
