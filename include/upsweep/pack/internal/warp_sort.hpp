// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

namespace upsweep::internal {

/// Sorts values in the registers of a warp, Items per lane: value k is v[k / size] of lane k % size. All lanes call it.
/// Pre: Items is a power of two.
/// Cost: log2(m) (log2(m) + 1) / 2 comparisons of each value, m the least power of two with all n values; as many
/// shuffles, without those between two values of a lane.
/// Source: K. E. Batcher, *Sorting networks and their applications* (1968).
template <class T, int Items, class Lanes>
struct warp_sort {
  static_assert((Items & (Items - 1)) == 0);
  static constexpr int most = Items * Lanes::size;  ///< values

  /// Ascending. Pre: n <= most; values from n on are not less than any other.
  KOKKOS_FORCEINLINE_FUNCTION static void sort(T (&v)[Items], int n, int lane) { merge<2>(v, n, lane); }

 private:
  /// Makes sorted stretches of Size values from those of half as many, and goes on. All comparators point up, so that
  /// what is missing to a power of two stays behind.
  template <int Size>
  KOKKOS_FORCEINLINE_FUNCTION static void merge(T (&v)[Items], int n, int lane) {
    if (Size >= 2 * n) return;
    compare<Size - 1>(v, lane);
    compare_down<Size / 4>(v, lane);
    if constexpr (Size < most) merge<2 * Size>(v, n, lane);
  }
  template <int Distance>
  KOKKOS_FORCEINLINE_FUNCTION static void compare_down(T (&v)[Items], int lane) {
    if constexpr (Distance > 0) {
      compare<Distance>(v, lane);
      compare_down<Distance / 2>(v, lane);
    }
  }
  /// Values k and k ^ Bits, the smaller one first.
  template <int Bits>
  KOKKOS_FORCEINLINE_FUNCTION static void compare(T (&v)[Items], int lane) {
    constexpr int items = Bits / Lanes::size, lanes = Bits % Lanes::size;
    if constexpr (items == 0) {
      bool const is_first = (lane ^ lanes) > lane;
      UPSWEEP_UNROLL
      for (int r = 0; r < Items; ++r) {
        T const other = Lanes::shuffle_xor(v[r], lanes);
        v[r] = is_first ? Kokkos::min(v[r], other) : Kokkos::max(v[r], other);
      }
    } else {
      UPSWEEP_UNROLL
      for (int r = 0; r < Items; ++r) {
        int const last = r ^ items;
        if (last < r) continue;
        T const low = v[r], high = v[last];
        v[r] = Kokkos::min(low, lanes == 0 ? high : Lanes::shuffle_xor(high, lanes));
        v[last] = Kokkos::max(high, lanes == 0 ? low : Lanes::shuffle_xor(low, lanes));
      }
    }
  }
};

}  // namespace upsweep::internal
