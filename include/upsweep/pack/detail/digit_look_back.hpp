// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/key_order.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

// Decoupled look-back (Merrill and Garland), a chain for each digit: how many keys of tiles before have this digit.
//
// A tile has a row of words, one a digit: two bits of state over thirty of count, so that both travel in one access and no order between words is
// needed. The owner writes its own count, then the sum up to and including it. A thread walks the chain of its digit, several rows at a time, until
// it meets a sum. When all tiles are done, all rows hold sums: the next pass over the same rows gives its states other bits, under which those of
// the pass before say nothing, so that no rows are cleared between passes.
// Progress: rows are taken in the order of tickets, so that all owners of rows before have started; they go on (compat::has_matching_warps).

class digit_look_back {
 public:
  static constexpr int radix = digit_plan::largest_radix;
  /// Keys that one chain can count.
  static constexpr std::size_t most_keys = (std::size_t(1) << 30) - 1;
  /// What rows hold before their first use.
  static constexpr std::uint32_t unused = 0xffffffffu;

  /// Rows that have been used `uses` times.
  KOKKOS_FUNCTION digit_look_back(std::uint32_t* rows, int uses)
      : rows_(rows), own_((uses & 1) != 0 ? 0u : 1u), sum_((uses & 1) != 0 ? 3u : 2u) {}

  KOKKOS_FORCEINLINE_FUNCTION void publish_own(std::size_t tile, int digit, std::uint32_t count) const {
    compat::store_word(rows_ + tile * radix + static_cast<std::size_t>(digit), own_ << 30 | count);
  }
  KOKKOS_FORCEINLINE_FUNCTION void publish_sum(std::size_t tile, int digit, std::uint32_t sum) const {
    compat::store_word(rows_ + tile * radix + static_cast<std::size_t>(digit), sum_ << 30 | sum);
  }

  /// Keys with this digit in all tiles before. Pre: tile > 0; tile 0 publishes a sum. Window: rows that are read together.
  template <int Window>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t sum_before(std::size_t tile, int digit) const {
    std::uint32_t sum = 0;
    std::uint32_t const* at = rows_ + (tile - 1) * radix + static_cast<std::size_t>(digit);
    auto left = tile;  // rows that are left
    for (;;) {
      std::uint32_t seen[Window];
      UPSWEEP_UNROLL
      for (int k = 0; k < Window; ++k) seen[k] = compat::load_word_if(static_cast<std::size_t>(k) < left, at - k * radix);
      int taken = 0;
      bool silent = false;
      UPSWEEP_UNROLL
      for (int k = 0; k < Window; ++k) {
        if (silent) continue;
        std::uint32_t const state = seen[k] >> 30;
        silent = static_cast<std::size_t>(k) >= left || (state != own_ && state != sum_);
        if (silent) continue;
        sum += seen[k] & most_keys;
        if (state == sum_) return sum;
        taken = k + 1;
      }
      at -= taken * radix;
      left -= static_cast<std::size_t>(taken);
    }
  }

 private:
  std::uint32_t* rows_;
  std::uint32_t own_, sum_;
};

}  // namespace upsweep::detail
