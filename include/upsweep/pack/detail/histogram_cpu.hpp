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
// the result at once. With few bins neighbouring elements are often in the same one, and each addition would wait for
// the store of the one before, so that neighbours add to different counters of a bin (columns).
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
  /// Counters of each bin where there are few bins, and elements for each bin from which adding these up is little. A
  /// core of a Xeon (Sapphire Rapids), 2026-11-23, 2^20 elements, ns each, 1 column / 4: 16 bins in order 1.72 / 0.48,
  /// at random 0.34 / 0.37; two bins at random 0.82 / 0.40.
  static constexpr std::size_t columns = 4, most_bins_with_columns = 256, elements_per_bin = 32;

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
    std::size_t const begin = first + static_cast<std::size_t>(m.league_rank()) * per_team,
                      end = Kokkos::min(begin + per_team, n);
    std::size_t const of_bin = in_columns() ? columns : 1;
    for (std::size_t b = 0; b < of_bin * bins; ++b) mine[b] = 0;
    if (in_columns()) count_in_columns(begin, end, mine);
    else count_run(begin, end, counters<std::uint32_t>{mine, 1});
    for (std::size_t b = 0; b < bins; ++b) {
      count sum = 0;
      for (std::size_t c = 0; c < of_bin; ++c) sum += static_cast<count>(mine[c * bins + b]);
      if (sum != 0) add(b, sum);
    }
  }

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const b = static_cast<std::size_t>(bin_of(static_cast<std::size_t>(i)));
    if (b < bins) add(b, count(1));
  }

  std::size_t teams() const { return internal::divide_up(n - first, per_team); }
  KOKKOS_FUNCTION bool in_columns() const {
    return bins <= most_bins_with_columns && n - first >= elements_per_bin * bins;
  }
  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    return (in_columns() ? columns : 1) * bins * sizeof(std::uint32_t);
  }

  /// Adds elements to counters that nobody else adds to.
  template <class To>
  KOKKOS_FUNCTION void count_run(std::size_t begin, std::size_t end, To const& counters) const {
    count_by_four(begin, end, [to = counters](std::size_t b, std::size_t) { return to.at(b); });
  }
  /// The same to `columns` counters of each bin.
  template <class T>
  KOKKOS_FUNCTION void count_in_columns(std::size_t begin, std::size_t end, T* to) const {
    T* const of_column[columns] = {to, to + bins, to + 2 * bins, to + 3 * bins};
    count_by_four(begin, end, [=](std::size_t b, std::size_t column) { return of_column[column] + b; });
  }

 private:
  KOKKOS_FUNCTION void add(std::size_t b, count c) const { Kokkos::atomic_add(counts.at(b), c); }

  /// Adds 1 to *at(bin, place in four elements). A negative bin becomes a large one, which is none.
  template <class At>
  KOKKOS_FUNCTION void count_by_four(std::size_t begin, std::size_t end, At const at) const {
    // Copies: for all that the compiler knows, the counters could lie in the kernel.
    BinOf const of = bin_of;
    std::size_t const most = bins;
    auto const count_one = [&](std::size_t i, std::size_t k) {
      auto const b = static_cast<std::size_t>(of(i));
      if (b < most) ++*at(b, k);
    };
    std::size_t i = begin;
    for (; i + 4 <= end; i += 4) {
      count_one(i, 0);
      count_one(i + 1, 1);
      count_one(i + 2, 2);
      count_one(i + 3, 3);
    }
    for (; i < end; ++i) count_one(i, 0);
  }
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
    auto const begin_alone = [&](auto const& count_run) {
      std::size_t const pieces = internal::begin_on_cpu(space, internal::divide_up(n, piece), [&](std::int64_t k) {
        std::size_t const begin = static_cast<std::size_t>(k) * piece;
        count_run(begin, std::min(begin + piece, n));
      });
      done = std::min(pieces * piece, n);
    };
    compat::run_on_this_thread(space, name, [&] {
      if (!kernel.in_columns())
        return begin_alone([&](std::size_t begin, std::size_t end) { kernel.count_run(begin, end, counts); });
      using count = typename Counts::value_type;
      count mine[kernel_type::columns * kernel_type::most_bins_with_columns];
      std::fill_n(mine, kernel_type::columns * bins, count(0));
      begin_alone([&](std::size_t begin, std::size_t end) { kernel.count_in_columns(begin, end, mine); });
      for (std::size_t b = 0; b < bins; ++b)
        for (std::size_t c = 0; c < kernel_type::columns; ++c) *counts.at(b) += mine[c * bins + b];
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
