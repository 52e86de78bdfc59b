// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/fork_time.hpp>
#include <upsweep/base/internal/cpu/guided_tickets.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::internal {

/// Whether CPU threads are to share work that one does in `alone` nanoseconds, in this number of launches: what they
/// have cost decides. Where it is false, the caller does the work on its own thread, which is noted here.
template <class ExecutionSpace>
bool pays_to_share(ExecutionSpace const& space, double alone, int launches = 1) {
  if (compat::concurrency(space) == 1) return false;
  if (known_fork_time.pays_for(static_cast<std::int64_t>(alone / launches))) return true;
  known_fork_time.ran_serially(static_cast<std::int64_t>(alone));
  return false;
}

/// What an index of one kernel cost the calling thread when it last looked. A call that is like the last one need not
/// look again: looking takes 0.4 us or more, in which the others wait. It decides who works, not what results.
class known_cost {
 public:
  /// Nanoseconds for so many indices on one thread; 0 as long as nobody has looked.
  double expect(std::size_t count) const {
    return static_cast<double>(each_.load(std::memory_order_relaxed)) * static_cast<double>(count);
  }
  void looked(double nanoseconds_each) { each_.store(static_cast<float>(nanoseconds_each), std::memory_order_relaxed); }
  /// A launch was made without a look. What is believed falls, so that some calls later one looks again: the kernel may
  /// have had data from memory the last time, or another functor's.
  void believed() { each_.store(0.9375f * each_.load(std::memory_order_relaxed), std::memory_order_relaxed); }

 private:
  std::atomic<float> each_{0};
};

/// A kernel and the maker of its label, for code that is compiled without them: it calls them for ranges of indices,
/// so that the calls cost nothing beside the loops. Without it each kernel had its own launch by Kokkos, a quarter of
/// the machine code of tests/scan/segmented.cpp (g++ 16.2 -O1, 2026-11-27). It refers to both.
struct range_kernel {
  void const* kernel;
  void (*run)(void const* kernel, std::size_t begin, std::size_t end);
  void const* label_maker;
  std::string (*make_label)(void const* label_maker);
  known_cost* cost;  ///< of all kernels of this type

  std::string label() const { return make_label(label_maker); }
  void operator()(std::size_t begin, std::size_t end) const { run(kernel, begin, end); }

  /// Of kernel(i). make_label() returns a std::string.
  template <class MakeLabel, class Kernel>
  static range_kernel of(MakeLabel const& make_label, Kernel const& kernel) {
    return {&kernel,
            [](void const* of, std::size_t begin, std::size_t end) {
              // A copy, where that copies bytes alone: what is stored may lie anywhere, but not in it. Otherwise
              // compilers load the kernel's members again behind each store, and make no vectors.
              std::conditional_t<std::is_trivially_copyable_v<Kernel>, Kernel const, Kernel const&> call =
                  *static_cast<Kernel const*>(of);
              for (std::size_t i = begin; i < end; ++i) call(static_cast<std::int64_t>(i));
            },
            &make_label, [](void const* of) { return (*static_cast<MakeLabel const*>(of))(); }, &cost_of<Kernel>};
  }
  /// Of kernel(begin, end).
  template <class MakeLabel, class Kernel>
  static range_kernel of_ranges(MakeLabel const& make_label, Kernel const& kernel) {
    return {&kernel,
            [](void const* of, std::size_t begin, std::size_t end) { (*static_cast<Kernel const*>(of))(begin, end); },
            &make_label, [](void const* of) { return (*static_cast<MakeLabel const*>(of))(); }, &cost_of<Kernel>};
  }

 private:
  template <class Kernel>
  static inline known_cost cost_of;
};

/// Calls run(0) ... run(threads - 1), an index a thread, and may learn what the launch costs. Threads read a copy of
/// `run` that lies in one place: each line of memory that a thread has to fetch from the calling one's cache is 0.1 us.
template <class ExecutionSpace, class MakeLabel, class Run>
void fork_threads_on_cpu(ExecutionSpace const& space, MakeLabel const& make_label, std::size_t threads,
                         Run const& run) {
  if (threads == 1) return compat::run_on_this_thread(space, make_label, [&] { run(0); });
  // Tools alone read labels, and a string takes 50 ns.
  std::string const label = Kokkos::Tools::profileLibraryLoaded() ? make_label() : std::string();
  auto const policy = Kokkos::RangePolicy<ExecutionSpace>(space, 0, static_cast<int>(threads)).set_chunk_size(1);
  if (!known_fork_time.wants_a_look())
    return Kokkos::parallel_for(label, policy, [run](int thread) { run(static_cast<std::size_t>(thread)); });
  fork_watch watch;
  Kokkos::parallel_for(label, policy, [run, &watch](int thread) {
    if (thread > 0) watch.began();
    run(static_cast<std::size_t>(thread));
    if (thread == 0) watch.ended();
  });
}

/// fork_on_cpu for a kernel that is called for ranges of threads.
template <class ExecutionSpace>
void fork_ranges_on_cpu(ExecutionSpace const& space, range_kernel const& kernel, std::size_t threads) {
  fork_threads_on_cpu(
      space, [&] { return kernel.label(); }, threads, [kernel](std::size_t thread) { kernel(thread, thread + 1); });
}

// Compiled once, in the library. `what` is extern or nothing.
#define UPSWEEP_FORK_RANGES(what, space) \
  what template void fork_ranges_on_cpu(space const&, range_kernel const& kernel, std::size_t threads)
#if defined(KOKKOS_ENABLE_SERIAL)
UPSWEEP_FORK_RANGES(extern, Kokkos::Serial);
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
UPSWEEP_FORK_RANGES(extern, Kokkos::OpenMP);
#endif

/// Calls kernel(0) ... kernel(threads - 1), an index a thread, and may learn what the launch costs. make_label()
/// returns the label. Most launches on CPU threads go this way. Pre: launches_wait<ExecutionSpace>.
template <class ExecutionSpace, class MakeLabel, class Kernel>
void fork_on_cpu(ExecutionSpace const& space, MakeLabel const& make_label, std::size_t threads, Kernel const& kernel) {
  static_assert(compat::launches_wait<ExecutionSpace>);
  auto const label = [&make_label] { return std::string(make_label()); };  // make_label may be a function
  fork_ranges_on_cpu(space, range_kernel::of(label, kernel), threads);
}

/// The same for `count` tiles that threads take by ticket: kernel(first, last, ticket) of tiles first ... last - 1.
template <class ExecutionSpace, class MakeLabel, class Kernel>
void share_on_cpu(ExecutionSpace const& space, MakeLabel const& make_label, guided_tickets const& tickets,
                  Kernel const& kernel) {
  ticket_queue queue(tickets);
  fork_on_cpu(space, make_label, tickets.threads,
              [&](std::int64_t thread) { queue.for_each(static_cast<std::size_t>(thread), kernel); });
}

}  // namespace upsweep::internal
