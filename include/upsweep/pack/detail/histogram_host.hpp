// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/label.hpp>
#include <upsweep/pack/detail/histogram_counters.hpp>
#include <upsweep/pack/detail/histogram_tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upsweep::detail {

// How threads of a host count a histogram, into a result of zeros.
//
// Work to threads: a team of one thread counts a run of elements into counters of its own in level-0 scratch, and adds those that are
// not zero to the result. With more bins than scratch has room for, every element is added to the result at once.
// Shared state: the result, under relaxed atomic additions of integers: any order gives the same counts. No progress is assumed.

template <class ExecutionSpace, class BinOf, class Counts>
struct histogram_host_kernel {
  using count = typename Counts::value_type;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  struct in_scratch {};
  /// Bins up to which a team has counters of its own: 16 KiB.
  static constexpr std::size_t most_scratch_bins = 4096;
  static constexpr std::size_t fewest_per_team = 8192;
  static constexpr std::size_t most_teams = 1024;

  BinOf bin_of;
  Counts counts;
  std::size_t n, bins, per_team;

  histogram_host_kernel(BinOf const& b, Counts const& c, std::size_t elements, std::size_t all_bins)
      : bin_of(b), counts(c), n(elements), bins(all_bins),
        per_team(std::clamp(divide_up(n, most_teams), fewest_per_team, most_counted_by_team)) {}

  KOKKOS_FUNCTION void operator()(in_scratch, member const& m) const {
    auto* const mine = static_cast<std::uint32_t*>(m.team_scratch(0).get_shmem_aligned(scratch_bytes(), 8));
    for (std::size_t b = 0; b < bins; ++b) mine[b] = 0;
    std::size_t const begin = static_cast<std::size_t>(m.league_rank()) * per_team, end = Kokkos::min(begin + per_team, n);
    // Copies: for all that the compiler knows, the counters could lie in the kernel.
    BinOf const of = bin_of;
    std::size_t const most = bins;
    auto const count_one = [&](std::size_t i) {
      auto const b = static_cast<std::size_t>(of(i));
      if (b < most) ++mine[b];
    };
    std::size_t i = begin;
    for (; i + 4 <= end; i += 4) {
      count_one(i);
      count_one(i + 1);
      count_one(i + 2);
      count_one(i + 3);
    }
    for (; i < end; ++i) count_one(i);
    for (std::size_t b = 0; b < bins; ++b)
      if (mine[b] != 0) add(b, static_cast<count>(mine[b]));
  }

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::size_t const b = bin(static_cast<std::size_t>(i));
    if (b < bins) add(b, count(1));
  }

  std::size_t teams() const { return divide_up(n, per_team); }
  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return bins * sizeof(std::uint32_t); }

 private:
  /// A negative bin becomes a large one, which is none.
  KOKKOS_FUNCTION std::size_t bin(std::size_t i) const { return static_cast<std::size_t>(bin_of(i)); }
  KOKKOS_FUNCTION void add(std::size_t b, count c) const { Kokkos::atomic_add(counts.at(b), c); }
};

/// Pre: n > 0; the result is zero.
template <class ExecutionSpace, class BinOf, class Counts>
void count_on_host(ExecutionSpace const& space, BinOf const& bin_of, Counts const& counts, std::size_t n, std::size_t bins,
                   std::string_view function, std::string_view caller) {
  using kernel_type = histogram_host_kernel<ExecutionSpace, BinOf, Counts>;
  kernel_type const kernel(bin_of, counts, n, bins);
  if (bins <= kernel_type::most_scratch_bins) {
    using policy = Kokkos::TeamPolicy<ExecutionSpace, typename kernel_type::in_scratch, Kokkos::LaunchBounds<1>>;
    Kokkos::parallel_for(label(function, "count", caller),
                         policy(space, static_cast<int>(kernel.teams()), 1)
                             .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(kernel.scratch_bytes() + 32))),
                         kernel);
  } else {
    Kokkos::parallel_for(label(function, "count", caller),
                         Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(n)),
                         kernel);
  }
}

}  // namespace upsweep::detail
