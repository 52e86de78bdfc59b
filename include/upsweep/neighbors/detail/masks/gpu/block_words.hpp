// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// The words that say which of a block are candidates: a lane keeps one of 32, then all are written.
template <class Lanes>
struct block_words {
  std::uint32_t* next;  ///< null where none are kept
  std::uint32_t own = 0;
  int count = 0;

  KOKKOS_FORCEINLINE_FUNCTION void add(std::uint32_t word, int lane) {
    if (count == lane) own = word;
    if (++count == Lanes::size) write(lane);
  }
  /// So many blocks without a candidate.
  KOKKOS_FORCEINLINE_FUNCTION void add_empty(int blocks, int lane) {
    while (blocks > 0) {
      int const room = Lanes::size - count, n = blocks < room ? blocks : room;
      if (lane >= count && lane < count + n) own = 0;
      blocks -= n;
      count += n;
      if (count == Lanes::size) write(lane);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void write(int lane) {
    if (next != nullptr) {
      if (lane < count) next[lane] = own;
      next += count;
    }
    count = 0;
  }
};

}  // namespace upsweep::neighbors::detail
