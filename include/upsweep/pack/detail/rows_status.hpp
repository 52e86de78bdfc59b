// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error_word.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// Records of some rows. So bounded that the sums of a whole window do not overflow; no memory holds as many.
struct record_sum {
  using value_type = std::uint64_t;
  static constexpr value_type limit = (std::uint64_t(1) << 55) - 1;
  KOKKOS_FUNCTION constexpr value_type identity() const { return 0; }
  KOKKOS_FUNCTION constexpr value_type operator()(value_type a, value_type b) const { return a + b < limit ? a + b : limit; }
  KOKKOS_FUNCTION static constexpr value_type of(std::size_t count) { return count < limit ? count : limit; }
};

/// What a tile has told: nothing, the records of its rows, or those of all rows up to its last.
enum class rows_state : std::uint64_t { nothing = 0, own = 1, all = 2 };

struct rows_status {
  /// Every tile has a line of 128 bytes: resident teams poll the same few words.
  static constexpr std::size_t stride = 16;
  std::uint64_t* words;

  KOKKOS_FUNCTION std::uint64_t* at(std::size_t tile) const { return words + tile * stride; }
  KOKKOS_FUNCTION static constexpr std::uint64_t make(rows_state state, std::uint64_t value) {
    return value << 2 | static_cast<std::uint64_t>(state);
  }
  KOKKOS_FUNCTION static constexpr rows_state state_of(std::uint64_t word) { return static_cast<rows_state>(word & 3); }
  KOKKOS_FUNCTION static constexpr std::uint64_t value_of(std::uint64_t word) { return word >> 2; }
};

/// Words of a launch, zeroed before it; the tiles' lines follow.
struct row_tiles_control {
  std::uint64_t ticket;
  std::uint64_t mismatch;  ///< an error_word
  std::uint64_t helped;    ///< tiles that a successor counted; tests read it
  std::uint64_t unused[13];
};

/// Zeros in the words of a launch.
struct clear_words_kernel {
  std::uint64_t* words;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { words[k] = 0; }
};

}  // namespace upsweep::detail
