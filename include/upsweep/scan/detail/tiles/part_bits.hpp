// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/tiles/selection_rows.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// Which of three parts elements belong to: a word for each thread that has elements, with one bit per row
/// (selection_rows.hpp) for the first part in its lower half, and for the second part in its upper half.
template <int Rows, int Lanes>
struct part_bits {
  static constexpr int parts = 3, rows = Rows;
  using word = std::conditional_t<rows <= 16, std::uint32_t, std::uint64_t>;
  static constexpr int half = 4 * sizeof(word);

  word* words;

  static std::size_t count(std::size_t n) { return internal::divide_up<std::size_t>(n, rows * Lanes) * Lanes; }
  static std::size_t bytes(std::size_t n) { return count(n) * sizeof(word); }

  KOKKOS_FORCEINLINE_FUNCTION void set(std::size_t thread, std::uint32_t first, std::uint32_t second) const {
    words[thread] = static_cast<word>(first) | static_cast<word>(second) << half;
  }
  KOKKOS_FORCEINLINE_FUNCTION void get(std::size_t thread, std::uint32_t& first, std::uint32_t& second) const {
    word const both = words[thread];
    first = static_cast<std::uint32_t>(both & (~word(0) >> half));
    second = static_cast<std::uint32_t>(both >> half);
  }
};

}  // namespace upsweep::scan::detail
