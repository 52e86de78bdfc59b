// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/internal/sort_network.hpp>
#include <upsweep/pack/internal/warp_sort.hpp>

#include <cstddef>
#include <limits>

namespace upsweep::pack::detail {

/// One row, sorted by the lanes of a warp. Up to 64 values are in registers: value k is that of lane k % size.
template <class T, class Lanes>
struct warp_row {
  static constexpr int in_registers = 64;
  static constexpr int items = in_registers / Lanes::size;

  /// The n values of `in` in ascending order and each once to `out`, if that is not null, as far as there is room for
  /// `capacity`; returns how many there are. `buffer` has room for n where n > in_registers, and may be `in`.
  /// Pre: `in` and `out` do not overlap; what `in` holds was written before a sync().
  KOKKOS_FUNCTION static std::size_t unique(T const* in, int n, T* buffer, T* out, std::size_t capacity, int lane) {
    if (n <= in_registers) {
      T v[items];
      UPSWEEP_UNROLL
      for (int r = 0; r < items; ++r) {
        int const k = lane + r * Lanes::size;
        v[r] = k < n ? in[k] : infinite;
      }
      internal::warp_sort<T, items, Lanes>::sort(v, n, lane);
      return put_heads(v, n, out, capacity, lane);
    }
    if (in != buffer) {
      for (int k = lane; k < n; k += Lanes::size) buffer[k] = in[k];
      Lanes::sync();
    }
    internal::sort_by_network(n, lane, Lanes::size, internal::compare_values<T>{buffer}, [] { Lanes::sync(); });
    std::size_t found = 0;
    for (int first = 0; first < n; first += Lanes::size) {
      int const k = first + lane;
      T const value = k < n ? buffer[k] : T(0);
      bool const is_head = k < n && (k == 0 || buffer[k - 1] != value);
      found += put(value, is_head, found, out, capacity, lane);
    }
    return found;
  }

 private:
  using mask = typename Lanes::mask;
  static constexpr T infinite = std::numeric_limits<T>::max();

  KOKKOS_FORCEINLINE_FUNCTION static std::size_t put_heads(T const (&v)[items], int n, T* out, std::size_t capacity,
                                                           int lane) {
    std::size_t found = 0;
    UPSWEEP_UNROLL
    for (int r = 0; r < items; ++r) {
      int const k = lane + r * Lanes::size;
      T before = Lanes::shuffle_up(v[r], 1);
      if (r > 0) {
        T const last = Lanes::shuffle(v[r > 0 ? r - 1 : 0], Lanes::size - 1);
        if (lane == 0) before = last;
      }
      found += put(v[r], k < n && (k == 0 || before != v[r]), found, out, capacity, lane);
    }
    return found;
  }
  /// Stores the lanes' values that are heads behind `found` others; returns how many.
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t put(T const& value, bool is_head, std::size_t found, T* out,
                                                     std::size_t capacity, int lane) {
    mask const heads = Lanes::ballot(is_head);
    std::size_t const place = found + static_cast<std::size_t>(Lanes::popcount_below(heads, lane));
    if (is_head && out != nullptr && place < capacity) out[place] = value;
    return static_cast<std::size_t>(Lanes::popcount(heads));
  }
};

}  // namespace upsweep::pack::detail
