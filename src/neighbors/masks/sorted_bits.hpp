// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "candidates.hpp"

#include <cstdint>

namespace upsweep::neighbors::detail {

/// The bits of up to 32 rows of a group, put into another order of candidates: rows become columns, one word for each
/// candidate; these words are moved; and columns become rows again. What it takes hardly depends on the number of rows.
template <class Real>
class sorted_bits {
 public:
  static constexpr int most_rows = 32;

  explicit sorted_bits(cpu_hit_kernels<Real> const& kernels) : kernels_(kernels) {}

  /// n words of some rows that stand side by side are those of all rows from word `first` on.
  void add(std::uint32_t const* words, int rows, int n, int first) {
    kernels_.transpose(words, rows, n, n, columns_ + first);
  }
  /// Where the word of the candidate is that has this bit in rows.
  static int column(int bit) { return bit % 32 * bit_column + bit / 32; }
  /// Bit r of each row becomes that whose column is at from[r], for r up to n - 1; bits behind are 0. Pre: there are as
  /// many more in `from` as fill a word, of any columns.
  void move(int const* from, int n) {
    int const words = words_for(n);
    for (int w = 0; w < words; ++w) {
      int const* const of_word = from + 32 * w;
      for (int k = 0; k < 32; ++k) moved_[k * bit_column + w] = columns_[of_word[k]];
    }
    for (int r = n; r < 32 * words; ++r) moved_[column(r)] = 0;
    kernels_.transpose(moved_, 32, bit_column, words, columns_);
  }
  std::uint32_t const* row(int i) const { return columns_ + i * bit_column; }

 private:
  cpu_hit_kernels<Real> const& kernels_;
  alignas(64) std::uint32_t columns_[32 * bit_column], moved_[32 * bit_column];
};

}  // namespace upsweep::neighbors::detail
