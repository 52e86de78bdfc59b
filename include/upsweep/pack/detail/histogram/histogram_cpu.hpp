// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/cpu_fork.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/internal/cpu/guided_tickets.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/histogram/histogram_counters.hpp>
#include <upsweep/pack/detail/histogram/histogram_stretch.hpp>
#include <upsweep/pack/detail/histogram/histogram_tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upsweep::pack::detail {

// How CPU threads count a histogram.
//
// Work to threads: the calling thread counts alone what takes it less than a fork. What is left is shared out by
// ticket, long stretches first. A thread counts in its own stack and hands its counts on once, at its end. With more
// bins than it has room for, every element is added to the result at once.
// Shared state: the number of the next ticket; a slot of counts for each thread, which the calling thread adds up
// behind the launch, or, without room for these, the result, under relaxed atomic additions. Counts are integers: any
// order gives the same ones. No progress is assumed.

/// One launch of `threads` indices.
template <class BinOf, class Counts>
struct histogram_cpu_kernel {
  using count = typename Counts::value_type;

  histogram_stretch<BinOf> stretch;
  Counts counts;
  std::size_t first, n;
  internal::ticket_queue* queue;
  std::uint32_t* slots;  ///< `bins` for each thread; null: counts are added to the result

  void operator()(std::int64_t thread) const {
    alignas(64) std::uint32_t mine[most_private_bins];
    std::size_t counted = 0;
    auto const add_to_result = [&](std::size_t b, std::uint32_t sum) {
      if (sum != 0) Kokkos::atomic_add(counts.at(b), static_cast<count>(sum));
    };
    stretch.clear(mine);
    queue->for_each(static_cast<std::size_t>(thread),
                    [&](std::size_t first_piece, std::size_t last_piece, std::size_t) {
                      std::size_t begin = first + first_piece * counted_together;
                      std::size_t const end = std::min(n, first + last_piece * counted_together);
                      while (begin < end) {
                        std::size_t const next = std::min(end, begin + (most_counted_by_team - counted));
                        stretch.count(begin, next, mine);
                        counted += next - begin;
                        begin = next;
                        if (counted < most_counted_by_team) continue;
                        stretch.for_each_sum(mine, add_to_result);
                        stretch.clear(mine);
                        counted = 0;
                      }
                    });
    if (slots == nullptr) return stretch.for_each_sum(mine, add_to_result);
    auto* const slot = slots + static_cast<std::size_t>(thread) * stretch.bins;
    stretch.for_each_sum(mine, [&](std::size_t b, std::uint32_t sum) { slot[b] = sum; });
  }
};

/// More bins than a thread has room for.
template <class BinOf, class Counts>
struct add_each_kernel {
  BinOf bin_of;
  Counts counts;
  std::size_t bins;
  void operator()(std::int64_t i) const {
    auto const b = static_cast<std::size_t>(bin_of(static_cast<std::size_t>(i)));
    if (b < bins) Kokkos::atomic_add(counts.at(b), typename Counts::value_type(1));
  }
};

/// One call on CPU threads; n may be 0.
template <class ExecutionSpace, class BinOf, class Counts>
class histogram_on_cpu {
  using count = typename Counts::value_type;
  using stretch_type = histogram_stretch<BinOf>;
  using policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>, Kokkos::LaunchBounds<1>>;
  /// Counts of all threads on the stack of the calling thread: 16 KiB.
  static constexpr std::size_t most_slots = 4096;

 public:
  histogram_on_cpu(ExecutionSpace const& space, BinOf const& bin_of, Counts const& counts, std::size_t n,
                   std::size_t bins, std::string_view function, std::string_view caller)
      : space_(space), bin_of_(bin_of), counts_(counts), n_(n), bins_(bins), function_(function), caller_(caller) {}

  void run() {
    std::size_t done = 0;
    if constexpr (compat::launches_wait<ExecutionSpace>) {
      if (n_ > 0) done = begin_alone();
    }
    if (done < n_ && bins_ <= most_private_bins) share(done);
    else if (done < n_) add_each(done);
    need_zeros();
  }

 private:
  auto name(char const* part) const {
    return [this, part] { return internal::label(function_, part, caller_); };
  }

  /// Zeros, if nobody has counted.
  void need_zeros() {
    if (has_counts_) return;
    has_counts_ = true;
    internal::run_on_cpu(space_, name("clear"), bins_, clear_counters_kernel<count>{counts_});
  }
  /// Puts what for_each(add) gives to add(bin, sum) into the result.
  template <class ForEach>
  void put(ForEach const& for_each) {
    if (has_counts_) for_each([&](std::size_t b, std::uint32_t sum) { *counts_.at(b) += static_cast<count>(sum); });
    else for_each([&](std::size_t b, std::uint32_t sum) { *counts_.at(b) = static_cast<count>(sum); });
    has_counts_ = true;
  }

  /// The calling thread counts what takes it less than a fork; returns how many elements.
  std::size_t begin_alone() {
    stretch_type const stretch{bin_of_, bins_, n_};
    if (!stretch.in_columns())
      return elements_alone([&](std::size_t begin, std::size_t end) {
        need_zeros();
        stretch.count_to(begin, end, counts_);
      });
    alignas(64) std::uint32_t mine[most_private_bins];
    std::size_t counted = 0;
    auto const put_mine = [&] {
      put([&](auto const& add) { stretch.for_each_sum(mine, add); });
      counted = 0;
    };
    std::size_t const done = elements_alone([&](std::size_t begin, std::size_t end) {
      while (begin < end) {
        if (counted == 0) stretch.clear(mine);
        std::size_t const next = std::min(end, begin + (most_counted_by_team - counted));
        stretch.count(begin, next, mine);
        counted += next - begin;
        begin = next;
        if (counted == most_counted_by_team) put_mine();
      }
    });
    if (counted > 0) put_mine();
    return done;
  }

  template <class CountRun>
  std::size_t elements_alone(CountRun const& count_run) const {
    constexpr std::size_t piece = counted_together;
    internal::work_cost cost;
    if constexpr (stretch_type::known_cost) cost = {static_cast<double>(n_) * stretch_type::nanoseconds, true};
    std::size_t const pieces = internal::begin_on_cpu(
        space_, name("count"), internal::divide_up(n_, piece),
        [&](std::size_t begin, std::size_t end) { count_run(begin * piece, std::min(end * piece, n_)); }, cost);
    return std::min(pieces * piece, n_);
  }

  /// Counts the elements from `done` on.
  void share(std::size_t done) {
    std::size_t const left = n_ - done, pieces = internal::divide_up(left, counted_together);
    internal::guided_tickets const tickets(pieces, static_cast<std::size_t>(compat::concurrency(space_)));
    internal::ticket_queue queue(tickets);
    alignas(64) std::uint32_t slots[most_slots];
    bool const has_slots = tickets.threads * bins_ <= most_slots && left < most_counted_by_team;
    if (!has_slots) need_zeros();
    histogram_cpu_kernel<BinOf, Counts> const kernel{{bin_of_, bins_, left},     counts_, done, n_, &queue,
                                                     has_slots ? slots : nullptr};
    if constexpr (compat::launches_wait<ExecutionSpace>) {
      internal::fork_on_cpu(space_, name("count"), tickets.threads, kernel);
    } else {
      Kokkos::parallel_for(name("count")(),
                           policy(space_, 0, static_cast<std::int64_t>(tickets.threads)).set_chunk_size(1), kernel);
      space_.fence(name("fence")());
    }
    if (!has_slots) return;
    put([&](auto const& add) {
      for (std::size_t b = 0; b < bins_; ++b) add(b, slots[b]);
    });
    for (std::size_t t = 1; t < tickets.threads; ++t)
      put([&](auto const& add) {
        for (std::size_t b = 0; b < bins_; ++b) add(b, slots[t * bins_ + b]);
      });
  }

  void add_each(std::size_t done) {
    need_zeros();
    add_each_kernel<BinOf, Counts> const kernel{bin_of_, counts_, bins_};
    if constexpr (compat::launches_wait<ExecutionSpace>) {
      internal::guided_tickets const tickets(n_ - done, static_cast<std::size_t>(compat::concurrency(space_)));
      internal::share_on_cpu(space_, name("count"), tickets, [&](std::size_t first, std::size_t last, std::size_t) {
        for (std::size_t i = done + first; i < done + last; ++i) kernel(static_cast<std::int64_t>(i));
      });
    } else {
      Kokkos::parallel_for(name("count")(), policy(space_, 0, static_cast<std::int64_t>(n_)), kernel);
    }
  }

  ExecutionSpace const& space_;
  BinOf const& bin_of_;
  Counts counts_;
  std::size_t n_, bins_;
  std::string_view function_, caller_;
  bool has_counts_ = false;  ///< the result holds counts, or zeros
};

}  // namespace upsweep::pack::detail
