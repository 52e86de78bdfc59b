// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/label.hpp>
#include <upsweep/base/sequence.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep::detail {

// How a histogram is counted.
//
// Work to threads: a team counts a run of elements into counters of its own in level-0 scratch, neighbouring threads neighbouring
// elements, and adds those that are not zero to the result. With more bins than scratch has room for, every element is added
// to the result at once. A team is one thread on CPUs.
// Shared state: the result, under relaxed atomic additions of integers: any order gives the same counts. No progress is assumed.

/// Bins up to which a team has counters of its own: 16 KiB.
inline constexpr std::size_t most_scratch_bins = 4096;
inline constexpr std::size_t fewest_per_team = 8192;
inline constexpr std::size_t most_teams = 1024;
/// What one team counts, so that 32 bits hold it.
inline constexpr std::size_t most_per_team = std::size_t(1) << 31;

/// The bin of an element, from a View of bins or a functor; `bins` and more for none.
template <class In>
struct bin_of_element {
  In in;
  KOKKOS_FUNCTION auto operator()(std::size_t i) const { return in.load(i); }
};
template <class Functor>
struct bin_of_index {
  Functor functor;
  KOKKOS_FUNCTION auto operator()(std::size_t i) const { return functor(static_cast<std::int64_t>(i)); }
};

template <class ExecutionSpace, class BinOf, class Counts>
struct histogram_kernel {
  using count = typename Counts::value_type;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  static constexpr int team_size = compat::is_gpu<ExecutionSpace> ? 256 : 1;
  struct in_scratch {};

  BinOf bin_of;
  Counts counts;
  std::size_t n, bins, per_team;

  KOKKOS_FUNCTION void operator()(in_scratch, member const& m) const {
    auto* const mine = static_cast<std::uint32_t*>(m.team_scratch(0).get_shmem_aligned(scratch_bytes(), 8));
    auto const rank = static_cast<std::size_t>(m.team_rank());
    for (std::size_t b = rank; b < bins; b += team_size) mine[b] = 0;
    m.team_barrier();
    std::size_t const begin = static_cast<std::size_t>(m.league_rank()) * per_team, end = Kokkos::min(begin + per_team, n);
    for (std::size_t i = begin + rank; i < end; i += team_size) {
      std::size_t const b = bin(i);
      if (b >= bins) continue;
      if constexpr (team_size > 1) Kokkos::atomic_inc(mine + b);
      else ++mine[b];
    }
    m.team_barrier();
    for (std::size_t b = rank; b < bins; b += team_size)
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

/// Counters as a kernel adds to them: contiguous or with a stride.
template <class T>
struct counters {
  using value_type = T;
  T* data;
  std::ptrdiff_t stride;
  KOKKOS_FUNCTION T* at(std::size_t b) const { return data + static_cast<std::ptrdiff_t>(b) * stride; }
};

/// Zeros everywhere.
template <class T>
struct clear_counters_kernel {
  counters<T> counts;
  KOKKOS_FUNCTION void operator()(std::int64_t b) const { *counts.at(static_cast<std::size_t>(b)) = T(0); }
};

template <class ExecutionSpace, class Kernel>
void launch_histogram(ExecutionSpace const& space, Kernel const& kernel, std::string_view function, std::string_view caller) {
  if (kernel.bins <= most_scratch_bins) {
    using policy = Kokkos::TeamPolicy<ExecutionSpace, typename Kernel::in_scratch, Kokkos::LaunchBounds<Kernel::team_size>>;
    Kokkos::parallel_for(label(function, "count", caller),
                         policy(space, static_cast<int>(kernel.teams()), Kernel::team_size)
                             .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(kernel.scratch_bytes() + 32))),
                         kernel);
  } else {
    Kokkos::parallel_for(label(function, "count", caller),
                         Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(kernel.n)),
                         kernel);
  }
}

}  // namespace upsweep::detail
