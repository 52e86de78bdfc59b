// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/workspace.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

// Which of two parts is the larger one, by a sample that is asked before all elements are. It decides what is done
// first, never what comes out. Elements of the sample are asked twice. H200, 2026-11-23, 2^24 int64, a tenth chosen:
// with a sample of four tiles whose answers were kept, so that no element was asked twice, a call took 115 us, 20 of
// which other tiles waited for those that read their answers.

/// A sample of the answers. From it select_in_one_pass() knows at which end to begin.
struct part_sample {
  /// From so many elements on the sample costs little beside them.
  static constexpr std::size_t least = std::size_t(1) << 24;
  static constexpr std::size_t row = 32, rows = 128, size = row * rows;

  std::uint64_t const* found = nullptr;  ///< chosen elements of the sample; null for short inputs

  /// Of the workspace.
  static std::size_t bytes_for(std::size_t n) { return n < least ? 0 : sizeof(std::uint64_t); }
  /// Whether the second part is the larger one.
  KOKKOS_FUNCTION bool backwards() const { return found != nullptr && *found * 2 < size; }
};

/// Asks for the sample: rows of neighbours, evenly apart. Work to threads: one team, some elements per thread.
template <class ExecutionSpace, class In, class PartOf>
struct sample_kernel {
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  static constexpr int team_size = 512;
  In in;
  PartOf part_of;
  std::size_t n;
  std::uint64_t* found;

  KOKKOS_FUNCTION void operator()(member const& m) const {
    std::size_t const apart = n / part_sample::rows;
    std::uint64_t chosen = 0;
    for (auto k = static_cast<std::size_t>(m.team_rank()); k < part_sample::size; k += team_size) {
      std::size_t const i = k / part_sample::row * apart + k % part_sample::row;
      if (part_of(in.load(i), i)) ++chosen;
    }
    m.team_reduce(Kokkos::Sum<std::uint64_t>(chosen));
    if (m.team_rank() == 0) *found = chosen;
  }
};

/// Takes the sample; in memory that reserve(bytes_for()) has given.
template <class ExecutionSpace, class In, class PartOf>
part_sample take_part_sample(ExecutionSpace const& space, std::size_t n, In const& in, PartOf const& part_of,
                             workspace& memory, call_options const& options, char const* function) {
  if (n < part_sample::least) return {};
  using kernel = sample_kernel<ExecutionSpace, In, PartOf>;
  auto* const found =
      reinterpret_cast<std::uint64_t*>(internal::access::reserve(memory, space, part_sample::bytes_for(n)));
  Kokkos::parallel_for(
      internal::label(function, "sample", options.label),
      Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<kernel::team_size>>(space, 1, kernel::team_size),
      kernel{in, part_of, n, found});
  return {found};
}

}  // namespace upsweep::pack::detail
