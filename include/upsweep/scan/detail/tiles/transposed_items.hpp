// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/gpu/element_chunk.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/scan/detail/problem/contiguous_bytes.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

/// `Items` elements side by side for each lane, in registers. They are loaded so that a warp's accesses lie side by
/// side, and transposed in scratch: a lane that has neighbours folds them alone, where lanes that have every 32nd chunk
/// meet once per chunk.
///
/// Accesses are as wide as divides a lane's bytes, up to 16. If a lane's bytes are an odd multiple of that, as most
/// lengths are, a warp's accesses spread over all banks of scratch.
template <class T, int Items, class Lanes>
struct transposed_items {
  static constexpr bool chunked = sizeof(T) <= 16 && std::has_single_bit(sizeof(T)) && Items * sizeof(T) % 4 == 0;
  static constexpr int slot = chunked ? static_cast<int>(sizeof(T)) : static_cast<int>((sizeof(T) + 3) / 4 * 4);
  static constexpr int lane_bytes = Items * slot;
  static constexpr int access = chunked ? std::min(16, lane_bytes & -lane_bytes) : slot;
  static constexpr int per_access = access / slot;
  static constexpr int accesses = lane_bytes / access;
  static constexpr int elements = Lanes::size * Items;
  static constexpr int bytes = Lanes::size * lane_bytes;
  using chunk = internal::element_chunk<slot, access>;

  chunk held[accesses] = {};

  template <class In>
  static constexpr bool can_load_chunks = (chunked && is_contiguous_sequence<In>);
  /// Whether load<true>() may be called.
  template <class In>
  static bool goes_by_chunks(In const& in) {
    return !can_load_chunks<In> || reinterpret_cast<std::uintptr_t>(contiguous_bytes(in)) % access == 0;
  }

  /// Loads the elements from `first` on, `length` of them. Whole: all of them exist, and goes_by_chunks().
  /// Pre: length > 0.
  template <bool Whole, class In>
  KOKKOS_FORCEINLINE_FUNCTION void load(In const& in, std::size_t first, int length, int lane) {
    if constexpr (Whole && can_load_chunks<In>) {
      auto const* const from = reinterpret_cast<chunk const*>(in.data + first) + lane;
      UPSWEEP_UNROLL
      for (int r = 0; r < accesses; ++r) held[r] = from[r * Lanes::size];
    } else {
      UPSWEEP_UNROLL
      for (int r = 0; r < accesses; ++r) {
        UPSWEEP_UNROLL
        for (int k = 0; k < per_access; ++k) {
          // Elements that are not there: the last one again, so that no load waits for a branch.
          int const at = (r * Lanes::size + lane) * per_access + k;
          held[r].put(k, in.load(first + static_cast<std::size_t>(Whole ? at : Kokkos::min(at, length - 1))));
        }
      }
    }
  }

  /// Gives each lane its elements: put(), the lanes meet, get(). Pre: slots are the warp's own, `bytes` long
  /// and aligned to 16.
  KOKKOS_FORCEINLINE_FUNCTION void put(unsigned char* slots, int lane) const {
    auto* const to = reinterpret_cast<chunk*>(slots) + lane;
    UPSWEEP_UNROLL
    for (int r = 0; r < accesses; ++r) to[r * Lanes::size] = held[r];
  }
  KOKKOS_FORCEINLINE_FUNCTION void get(unsigned char const* slots, int lane) {
    auto const* const from = reinterpret_cast<chunk const*>(slots) + lane * accesses;
    UPSWEEP_UNROLL
    for (int r = 0; r < accesses; ++r) held[r] = from[r];
  }

  /// Element k of the lane.
  KOKKOS_FORCEINLINE_FUNCTION T take(int k) const { return held[k / per_access].template take<T>(k % per_access); }
};

}  // namespace upsweep::scan::detail
