// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/cpu_fork.hpp>
#include <upsweep/base/internal/cpu/fork_time.hpp>
#include <upsweep/base/internal/cpu/guided_tickets.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep::internal {

/// What an index costs, as the pieces of a call show that the calling thread has run.
class piece_times {
 public:
  void add(std::size_t size, std::int64_t taken) {
    // Another process may have had the core for a while, which the next piece shows.
    is_doubted_ = taken > may_have_lost_core && !is_doubted_;
    if (is_doubted_) return;
    taken_ += static_cast<double>(taken);
    size_ += static_cast<double>(size);
  }
  /// Before that much time a measurement says little: the first elements may come from memory. Reading the clock takes
  /// 25 to 70 ns. The dearer a launch, the longer one looks before it.
  bool say_something(std::int64_t launch_cost) const {
    return taken_ >= std::max(400., static_cast<double>(launch_cost) / 16);
  }
  /// Whether the last piece took so long that only the next one shows what an index costs.
  bool is_doubted() const { return is_doubted_; }
  /// Nanoseconds of an index; 0 where none was timed.
  double each() const { return size_ > 0 ? taken_ / size_ : 0; }
  /// Nanoseconds for so many more.
  std::int64_t expect(std::size_t count) const {
    return static_cast<std::int64_t>(each() * static_cast<double>(count));
  }

 private:
  static constexpr std::int64_t may_have_lost_core = 1000000;
  double taken_ = 0, size_ = 0;
  bool is_doubted_ = false;
};

/// What is known beforehand of the time that one thread takes for all of a call.
struct work_cost {
  double nanoseconds = 0;  ///< at the least, or about that where it is known
  bool is_known = false;
};

/// begin_on_cpu for a kernel that is called for ranges.
template <class ExecutionSpace>
std::size_t begin_ranges_on_cpu(ExecutionSpace const& space, range_kernel const& kernel, std::size_t count,
                                work_cost cost) {
  using clock = std::chrono::steady_clock;
  if (count == 0) return 0;
  bool const is_single = compat::concurrency(space) == 1;
  if (!is_single) {
    double const seen = cost.is_known ? 0 : kernel.cost->expect(count);
    if (known_fork_time.pays_for(static_cast<std::int64_t>(std::max(cost.nanoseconds, seen)))) {
      if (seen > cost.nanoseconds) kernel.cost->believed();
      return 0;
    }
  }
  std::size_t done = 0;
  auto const begin = [&] {
    if (is_single || cost.is_known) {
      if (!is_single) known_fork_time.ran_serially(static_cast<std::int64_t>(cost.nanoseconds));
      kernel(std::size_t(0), count);
      done = count;
      return;
    }
    piece_times times;
    auto start = clock::now();
    for (std::size_t piece = 1;;) {
      std::size_t const size = std::min(piece, count - done);
      kernel(done, done + size);
      done += size;
      if (done == count) break;
      auto const now = clock::now();
      times.add(size, std::chrono::nanoseconds(now - start).count());
      start = now;
      if (times.is_doubted()) continue;
      if (!times.say_something(known_fork_time.expected())) {
        piece *= 4;
        continue;
      }
      kernel.cost->looked(times.each());
      if (known_fork_time.pays_for(times.expect(count - done))) return;
      piece = std::max(piece, done / 8);
    }
    known_fork_time.ran_serially(times.expect(count));
  };
  compat::run_on_this_thread(space, [&] { return kernel.label(); }, begin);
  return done;
}

/// run_on_cpu for a kernel that is called for ranges. Pre: launches_wait<ExecutionSpace>; count > 0.
template <class ExecutionSpace>
void run_ranges_on_cpu(ExecutionSpace const& space, range_kernel const& kernel, std::size_t count, work_cost cost,
                       tile_cost tiles) {
  std::size_t const done = begin_ranges_on_cpu(space, kernel, count, cost);
  if (done == count) return;
  // Short calls have one ticket a thread, which no thread takes from others.
  constexpr double shortest_ticket = 5000;
  double const alone = std::max(cost.nanoseconds, kernel.cost->expect(count));
  std::size_t const fewest =
      alone > 0 ? static_cast<std::size_t>(shortest_ticket / alone * static_cast<double>(count)) : 0;
  guided_tickets const tickets(count - done, static_cast<std::size_t>(compat::concurrency(space)), tiles,
                               std::max<std::size_t>(8, fewest));
  auto const label = [&] { return kernel.label(); };
  if (tickets.count() == tickets.threads)
    return fork_threads_on_cpu(space, label, tickets.threads, [kernel, tickets, done](std::size_t thread) {
      auto const [first, last] = tickets(thread);
      kernel(done + first, done + last);
    });
  share_on_cpu(space, label, tickets,
               [&](std::size_t first, std::size_t last, std::size_t) { kernel(done + first, done + last); });
}

// Compiled once, in the library. `what` is extern or nothing.
#define UPSWEEP_RUN_RANGES(what, space)                                                                             \
  what template std::size_t begin_ranges_on_cpu(space const&, range_kernel const& kernel, std::size_t count,        \
                                                work_cost cost);                                                    \
  what template void run_ranges_on_cpu(space const&, range_kernel const& kernel, std::size_t count, work_cost cost, \
                                       tile_cost tiles)
#if defined(KOKKOS_ENABLE_SERIAL)
UPSWEEP_RUN_RANGES(extern, Kokkos::Serial);
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
UPSWEEP_RUN_RANGES(extern, Kokkos::OpenMP);
#endif

/// Calls run(begin, end) of neighbouring ranges of 0 ... count - 1 on the calling thread, in order, as long as others
/// would not end what is left earlier, as far as the last pieces show: of indices that take a millisecond, two.
/// Returns how many indices it has run: all of them where the space has one thread. Two rules say whether others pay.
/// Where the cost is known, it is compared with what launches have cost. Nobody can know what a user's functor costs an
/// element, nor whether elements come from memory: then the clock measures it, unless the least cost is enough, or what
/// the kernel cost the last time (`known_cost`). The clock alone would cost a reduction of 128 KB, whose cost is known,
/// 1.6 us in place of 1.4 (two cores of an EPYC, 2026-11-27). It decides who works, not what results. Tools see a
/// kernel with the label that make_label() returns, if anything is run. Pre: launches_wait<ExecutionSpace>.
template <class ExecutionSpace, class MakeLabel, class Run>
std::size_t begin_on_cpu(ExecutionSpace const& space, MakeLabel const& make_label, std::size_t count, Run const& run,
                         work_cost cost = {}) {
  auto const label = [&make_label] { return std::string(make_label()); };  // make_label may be a function
  return begin_ranges_on_cpu(space, range_kernel::of_ranges(label, run), count, cost);
}

/// Whether a kernel has a form for neighbouring indices begin ... end - 1, too: kernel.run(begin, end) is what
/// kernel(begin), ..., kernel(end - 1) are, with what they share done once.
template <class Kernel>
concept kernel_of_ranges = requires(Kernel const& kernel, std::size_t begin) { kernel.run(begin, begin); };

/// Calls kernel(i) for i from 0 to count - 1, i an std::int64_t, on CPU threads, or kernel.run(begin, end) if there is
/// that. The calling thread begins (begin_on_cpu, by `cost`), and others are woken for what is left, which is shared
/// out as `tiles` says (guided_tickets.hpp); a single thread goes in order. make_label() returns the label: tools see
/// one kernel with it, or two.
template <class ExecutionSpace, class MakeLabel, class Kernel>
void run_on_cpu(ExecutionSpace const& space, MakeLabel const& make_label, std::size_t count, Kernel const& kernel,
                work_cost cost = {}, tile_cost tiles = tile_cost::even) {
  if (count == 0) return;
  if constexpr (compat::launches_wait<ExecutionSpace>) {
    auto const label = [&make_label] { return std::string(make_label()); };  // make_label may be a function
    if constexpr (kernel_of_ranges<Kernel>) {
      auto const run = [&](std::size_t begin, std::size_t end) { kernel.run(begin, end); };
      run_ranges_on_cpu(space, range_kernel::of_ranges(label, run), count, cost, tiles);
    } else {
      run_ranges_on_cpu(space, range_kernel::of(label, kernel), count, cost, tiles);
    }
  } else {
    // Kokkos shares it out, uneven tiles one at a time.
    using index = Kokkos::IndexType<std::int64_t>;
    using one_at_a_time = Kokkos::RangePolicy<ExecutionSpace, index, Kokkos::Schedule<Kokkos::Dynamic>>;
    auto const n = static_cast<std::int64_t>(count);
    if (tiles == tile_cost::uneven)
      Kokkos::parallel_for(make_label(), one_at_a_time(space, 0, n).set_chunk_size(1), kernel);
    else Kokkos::parallel_for(make_label(), Kokkos::RangePolicy<ExecutionSpace, index>(space, 0, n), kernel);
  }
}

}  // namespace upsweep::internal
