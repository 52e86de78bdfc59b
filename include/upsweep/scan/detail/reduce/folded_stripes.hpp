// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/problem/commutes.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace upsweep::scan::detail {

/// A warp's part of a reduction to wide states, which lanes fold as they load: two rows of such states, and two more in
/// flight, are more than a thread has registers for. A row has an element for each lane.
///
/// Where operands may be taken in any order, a lane has a column of all rows, and lanes meet once. Else rows go in
/// batches, of which a lane has elements side by side, and lanes meet once a batch.
/// Association: in a lane the left fold; lanes in order, as a balanced tree; batches in order, the left fold.
template <class Problem, class Shape, class Lanes>
struct folded_stripes {
  using state = typename Problem::state;
  using input = typename decltype(Problem::in)::value_type;
  static constexpr bool in_any_order = commutes<typename Problem::monoid_type>;
  static constexpr int rounds = 8;  ///< rows of a batch
  static constexpr std::size_t warp_elements = static_cast<std::size_t>(Lanes::size) * rounds;
  /// Elements of a lane that are loaded together, before they are lifted.
  static constexpr int together = std::is_default_constructible_v<input>
                                      ? std::clamp<int>(Shape::bytes_per_thread / static_cast<int>(sizeof(input)), 1, 4)
                                      : 1;

  static bool goes_by_chunks(Problem const&) { return false; }

  /// The fold of `rows` rows from element `first` on, as far as there are elements, in every lane.
  KOKKOS_FORCEINLINE_FUNCTION static state fold(Problem const& p, std::size_t first, std::size_t rows, int lane) {
    constexpr auto lanes = static_cast<std::size_t>(Lanes::size);
    auto const number = static_cast<std::size_t>(lane);
    if constexpr (in_any_order) {
      return internal::fold_lanes<Lanes>(p.monoid, fold_own<lanes>(p, first + number, rows), lane);
    } else {
      state sum = p.monoid.identity();
      std::size_t batch = rounds;
      UPSWEEP_NO_UNROLL
      for (; rows > 0 && first < p.n; rows -= batch, first += batch * lanes) {
        if (rows < batch) batch = rows;
        state const own = fold_own<1>(p, first + number * batch, batch);
        sum = p.monoid(sum, internal::fold_lanes<Lanes>(p.monoid, own, lane));
      }
      return sum;
    }
  }

 private:
  /// The fold of a lane's elements, `most` of them, `Step` apart, as far as they exist.
  template <std::size_t Step>
  KOKKOS_FORCEINLINE_FUNCTION static state fold_own(Problem const& p, std::size_t first, std::size_t most) {
    state sum = p.monoid.identity();
    if (first >= p.n) return sum;
    std::size_t const last = Kokkos::min(most - 1, (p.n - 1 - first) / Step);
    UPSWEEP_NO_UNROLL
    for (std::size_t at = 0; at <= last; at += together) {
      if constexpr (together == 1) {
        sum = p.monoid(sum, internal::lift(p.monoid, p.in.load(first + at * Step)));
      } else {
        input held[together];
        // Elements that are not there: the last one again, so that no load waits for a branch.
        UPSWEEP_UNROLL
        for (int k = 0; k < together; ++k)
          held[k] = p.in.load(first + Kokkos::min(at + static_cast<std::size_t>(k), last) * Step);
        // One after the other through the first place: one copy of what may be a long lift().
        std::size_t const end = Kokkos::min(at + static_cast<std::size_t>(together), last + 1);
        UPSWEEP_NO_UNROLL
        for (std::size_t i = at; i < end; ++i) {
          sum = p.monoid(sum, internal::lift(p.monoid, held[0]));
          UPSWEEP_UNROLL
          for (int k = 1; k < together; ++k) held[k - 1] = held[k];
        }
      }
    }
    return sum;
  }
};

}  // namespace upsweep::scan::detail
