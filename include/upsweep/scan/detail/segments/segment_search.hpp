// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::scan::detail {

/// The last of segments `low` to high - 1 that begins before some element, or one at most `within` - 1 in front of it.
/// begins_before(s) says so of a segment; `low` is not asked for. The lanes of a warp ask for segments side by side: at
/// first around `guess`, `step` apart.
/// Number: of a segment. Lanes ask for one segment each, because what they ask for lies in lines of its own.
template <class Lanes, class Number, class BeginsBefore>
KOKKOS_FORCEINLINE_FUNCTION Number search_segment(BeginsBefore const& begins_before, Number low, Number high,
                                                  Number within, Number guess, Number step, int lane) {
  constexpr Number lanes = Lanes::size;
  Number first = guess > lanes / 2 * step ? guess - lanes / 2 * step : 1;
  UPSWEEP_NO_UNROLL
  while (high - low > within) {
    Number const probe = first + static_cast<Number>(lane) * step;
    bool const is_before = probe <= low || (probe < high && begins_before(probe));
    auto const before = static_cast<Number>(Lanes::popcount(Lanes::ballot(is_before)));
    if (before > 0) low = Kokkos::max(low, first + (before - 1) * step);
    if (before < lanes) high = Kokkos::min(high, first + before * step);
    step = (high - low + lanes) / (lanes + 1);
    first = low + step;
  }
  return low;
}

/// Which segment would be around element `at` of n, if all were of one length. Number: of a segment and of an element;
/// of 32 bits, below 2^30.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Number segment_if_uniform(Number at, Number segments, Number n) {
  using real = std::conditional_t<sizeof(Number) <= 4, float, double>;
  return static_cast<Number>(static_cast<real>(at) / static_cast<real>(n) * static_cast<real>(segments));
}

}  // namespace upsweep::scan::detail
