// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu_range.hpp>
#include <upsweep/base/internal/index.hpp>
#include <upsweep/base/internal/label.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/histogram_counters.hpp>
#include <upsweep/pack/detail/histogram_tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upsweep::pack::detail {

// How CPU threads count a histogram, into a result of zeros.
//
// Work to threads: the calling thread begins alone and adds to the result, as long as that takes no longer than a fork
// (cpu_range.hpp). What is left is cut into runs: a team of one thread takes a run, counts it in level-0 scratch, and
// adds the counts that are not zero to the result. With more bins than scratch has room for, every element is added to
// the result at once.
// Shared state: the result, under relaxed atomic additions of integers: any order gives the same counts. No
// progress is assumed.

template <class ExecutionSpace, class BinOf, class Counts>
struct histogram_cpu_kernel {
  using count = typename Counts::value_type;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  struct in_scratch {};
  /// Bins up to which a team has counters of its own: 16 KiB.
  static constexpr std::size_t most_scratch_bins = 4096;
  static constexpr std::size_t fewest_per_team = 8192;
  static constexpr std::size_t most_teams = 1024;

  BinOf bin_of;
  Counts counts;
  std::size_t first, n, bins, per_team;

  /// Counts elements from `begin` on.
  histogram_cpu_kernel(BinOf const& b, Counts const& c, std::size_t begin, std::size_t elements, std::size_t all_bins)
      : bin_of(b),
        counts(c),
        first(begin),
        n(elements),
        bins(all_bins),
        per_team(std::clamp(internal::divide_up(n - first, most_teams), fewest_per_team, most_counted_by_team)) {}

  KOKKOS_FUNCTION void operator()(in_scratch, member const& m) const {
    auto* const mine = static_cast<std::uint32_t*>(m.team_scratch(0).get_shmem_aligned(scratch_bytes(), 8));
    for (std::size_t b = 0; b < bins; ++b) mine[b] = 0;
    std::size_t const begin = first + static_cast<std::size_t>(m.league_rank()) * per_team;
    count_run(begin, Kokkos::min(begin + per_team, n), counters<std::uint32_t>{mine, 1});
    for (std::size_t b = 0; b < bins; ++b)
      if (mine[b] != 0) add(b, static_cast<count>(mine[b]));
  }

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const b = static_cast<std::size_t>(bin_of(static_cast<std::size_t>(i)));
    if (b < bins) add(b, count(1));
  }

  std::size_t teams() const { return internal::divide_up(n - first, per_team); }
  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return bins * sizeof(std::uint32_t); }

  /// Adds elements to counters that nobody else adds to. A negative bin becomes a large one, which is none.
  template <class To>
  KOKKOS_FUNCTION void count_run(std::size_t begin, std::size_t end, To const& counters) const {
    // Copies: for all that the compiler knows, the counters could lie in the kernel.
    BinOf const of = bin_of;
    To const to = counters;
    std::size_t const most = bins;
    auto const count_one = [&](std::size_t i) {
      auto const b = static_cast<std::size_t>(of(i));
      if (b < most) ++*to.at(b);
    };
    std::size_t i = begin;
    for (; i + 4 <= end; i += 4) {
      count_one(i);
      count_one(i + 1);
      count_one(i + 2);
      count_one(i + 3);
    }
    for (; i < end; ++i) count_one(i);
  }

 private:
  KOKKOS_FUNCTION void add(std::size_t b, count c) const { Kokkos::atomic_add(counts.at(b), c); }
};

/// Pre: n > 0; the result is zero.
template <class ExecutionSpace, class BinOf, class Counts>
void count_on_cpu(ExecutionSpace const& space, BinOf const& bin_of, Counts const& counts, std::size_t n,
                  std::size_t bins, std::string_view function, std::string_view caller) {
  using kernel_type = histogram_cpu_kernel<ExecutionSpace, BinOf, Counts>;
  auto const name = [&] { return internal::label(function, "count", caller); };
  std::size_t done = 0;
  if constexpr (compat::launches_wait<ExecutionSpace>) {
    constexpr std::size_t piece = 256;
    kernel_type const kernel(bin_of, counts, 0, n, bins);
    compat::run_on_this_thread(space, name, [&] {
      std::size_t const pieces = internal::begin_on_cpu(space, internal::divide_up(n, piece), [&](std::int64_t k) {
        std::size_t const begin = static_cast<std::size_t>(k) * piece;
        kernel.count_run(begin, std::min(begin + piece, n), counts);
      });
      done = std::min(pieces * piece, n);
    });
    if (done == n) return;
  }
  kernel_type const kernel(bin_of, counts, done, n, bins);
  if (bins <= kernel_type::most_scratch_bins) {
    using policy = Kokkos::TeamPolicy<ExecutionSpace, typename kernel_type::in_scratch, Kokkos::LaunchBounds<1>>;
    Kokkos::parallel_for(name(),
                         policy(space, static_cast<int>(kernel.teams()), 1)
                             .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(kernel.scratch_bytes() + 32))),
                         kernel);
  } else {
    using policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(name(), policy(space, static_cast<std::int64_t>(done), static_cast<std::int64_t>(n)), kernel);
  }
}

}  // namespace upsweep::pack::detail
