// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace upsweep::internal {

/// What one access of `Bytes` bytes brings: elements in slots of `Slot` bytes, of which Bytes is a multiple. Kept as
/// words, because compilers take bytes apart one by one.
template <int Slot, int Bytes = 16>
struct alignas(Bytes % 16 == 0  ? 16
               : Bytes % 8 == 0 ? 8
                                : 4) element_chunk {
  static_assert(Bytes % 4 == 0 && Slot <= Bytes);
  static constexpr int size = Bytes / Slot;  ///< elements
  std::uint32_t word[Bytes / 4];

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T take(int k) const {
    T x;
    if constexpr (Slot >= 4) {
      memcpy(&x, word + k * (Slot / 4), sizeof(T));
    } else {
      auto const bits = static_cast<small_slot>(word[k * Slot / 4] >> (k * Slot % 4 * 8));
      memcpy(&x, &bits, sizeof(T));
    }
    return x;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void put(int k, T const& x) {
    if constexpr (Slot >= 4) {
      memcpy(word + k * (Slot / 4), &x, sizeof(T));
    } else {
      small_slot bits = 0;
      memcpy(&bits, &x, sizeof(T));
      int const shift = k * Slot % 4 * 8;
      std::uint32_t& w = word[k * Slot / 4];
      w = (w & ~(std::uint32_t(small_slot(~small_slot(0))) << shift)) | std::uint32_t(bits) << shift;
    }
  }

 private:
  using small_slot = std::conditional_t<Slot == 1, std::uint8_t, std::uint16_t>;
};

}  // namespace upsweep::internal
