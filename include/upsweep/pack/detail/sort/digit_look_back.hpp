// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/sort/key_order.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

// Decoupled look-back (Merrill and Garland), a chain for each digit: how many keys of tiles before have this digit.
//
// A tile has a row of words, one per digit: two bits of status over thirty of count, so that both travel in one access
// and no order between words is needed. The owner writes its own count, then the sum up to and including it.
// A thread walks the chain of its digit, several rows at a time, until it meets a sum. When all tiles are done, all
// rows hold sums: the next pass over the same rows gives its statuses other bits, under which those of the pass before
// are invalid, so that no rows are cleared between passes.
// Progress: rows are taken in the order of tickets, so that all owners of rows before have started; they go on
//   (compat::has_warps_of_32).

class digit_look_back {
 public:
  static constexpr int radix = digit_plan::largest_radix;
  /// Keys that one chain can count.
  static constexpr std::uint32_t most_keys = (1u << 30) - 1;
  /// What rows hold before their first use.
  static constexpr std::uint32_t unused = 0xffffffffu;
  /// Rows in front of the first that may be read, though nothing in them is used.
  static constexpr int rows_in_front = 8;

  /// Rows that have been used `uses` times.
  KOKKOS_FUNCTION digit_look_back(std::uint32_t* rows, int uses)
      : rows_(rows), flip_(static_cast<std::uint32_t>(uses & 1) << 30) {}

  KOKKOS_FORCEINLINE_FUNCTION void publish_aggregate(std::uint32_t tile, int digit, std::uint32_t count) const {
    compat::store_word(at(tile, digit), (aggregate | count) ^ flip_);
  }
  KOKKOS_FORCEINLINE_FUNCTION void publish_prefix(std::uint32_t tile, int digit, std::uint32_t sum) const {
    compat::store_word(at(tile, digit), (prefix | sum) ^ flip_);
  }

  /// Keys with this digit in all tiles before. Pre: tile > 0; tile 0 publishes a sum. Window: rows that
  /// are read together.
  template <int Window>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t exclusive_prefix(std::uint32_t tile, int digit) const {
    static_assert(Window <= rows_in_front);
    std::uint32_t sum = 0;
    for (std::uint32_t const* row = at(tile, digit) - radix;;) {
      std::uint32_t seen[Window];
      UPSWEEP_UNROLL
      for (int k = 0; k < Window; ++k) seen[k] = compat::load_word(row - k * radix);
      UPSWEEP_UNROLL
      for (int k = 0; k < Window; ++k) {
        std::uint32_t const word = seen[k] ^ flip_;
        if (word >= invalid) break;
        sum += word & most_keys;
        if (word >= prefix) return sum;
        row -= radix;
      }
    }
  }

 private:
  // Statuses as they are where flip_ is 0. A sum becomes invalid when the next use flips it.
  static constexpr std::uint32_t aggregate = 1u << 30, prefix = 2u << 30, invalid = 3u << 30;

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* at(std::uint32_t tile, int digit) const {
    return rows_ + (static_cast<std::size_t>(tile) * radix + static_cast<std::size_t>(digit));
  }

  std::uint32_t* rows_;
  std::uint32_t flip_;
};

}  // namespace upsweep::pack::detail
