// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/fork_time.hpp>
#include <upsweep/base/internal/cpu/guided_tickets.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <atomic>
#include <cstddef>

namespace upsweep::internal {

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
/// the label. Launches of scan and pack on CPU threads go this way. Pre: launches_wait<ExecutionSpace>.
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
  std::atomic<std::size_t> taken{0};
  fork_on_cpu(space, make_label, tickets.threads, [&](int) {
    for (;;) {
      std::size_t const ticket = taken.fetch_add(1, std::memory_order_relaxed);
      if (ticket >= tickets.count()) return;
      kernel(tickets.first(ticket), tickets.first(ticket + 1), ticket);
    }
  });
}

}  // namespace upsweep::internal
