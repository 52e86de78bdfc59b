// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/detail/scan_calls.hpp>
#include <upsweep/team/member.hpp>

#include <cstddef>

namespace upsweep::team {

/// Kogge-Stone scan between two scratch buffers that swap their roles after every step, which saves a barrier a step.
/// Values 3 1 7 0 4 1 6 3 of eight threads give 3 4 11 11 15 16 22 25 inclusive, 0 3 4 11 11 15 16 22 exclusive.
///
/// Pre: called by all threads of the team; scratch holds 2 team_size values that no thread is still using.
/// Cost: N log2 N - (N - 1) operations, ceil(log2 N) + 2 barriers, 2 N values of scratch.
/// Order: operands are combined (left, right); the same association as kogge_stone.
/// Sync: ends with a barrier when every thread has read its result: the scratch may be used again at once.
/// Source: ECE408 lecture 16, *Double Buffering*.
struct kogge_stone_double_buffered : detail::scans_by_sweep<kogge_stone_double_buffered> {
  /// Bytes of level-0 scratch for a team.
  template <class T>
  KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes(int team_size) {
    return sizeof(T) * 2 * static_cast<std::size_t>(team_size);
  }

 private:
  friend detail::scans_by_sweep<kogge_stone_double_buffered>;

  // A thread that writes to a buffer has passed the barrier behind the step in which that buffer was read. So one
  // barrier a step is enough.
  template <class Member, class Monoid, class Scratch>
  KOKKOS_FUNCTION static int sweep(Member const& m, value_of<Monoid>& value, Monoid const& op, Scratch scratch) {
    int const rank = m.team_rank(), size = m.team_size();
    int source = 0, destination = size;
    scratch[rank] = value;
    for (int distance = 1; distance < size; distance *= 2) {
      m.team_barrier();
      if (rank >= distance) {
        value_of<Monoid> const left = scratch[source + rank - distance];
        value = op(left, value);
      }
      scratch[destination + rank] = value;
      int const swapped = source;
      source = destination;
      destination = swapped;
    }
    m.team_barrier();
    return source;
  }
};

}  // namespace upsweep::team
