// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Flags and keys to one bit per element, over the vectors of one instruction set.

#include "cpu_kernel_tables.hpp"
#include "../base/vectors/inline.hpp"

#include <upsweep/scan/detail/cpu/cpu_segment_kernels.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::scan::detail {

template <class Mark, template <class> class Lanes>
struct head_words {
  using lanes = Lanes<Mark>;
  using vector = typename lanes::vector;
  static constexpr int vectors = 64 / lanes::count;  ///< a word

  UPSWEEP_INLINE static vector load(Mark const* marks) {
    vector v;
    __builtin_memcpy(&v, marks, sizeof v);
    return v;
  }
  UPSWEEP_INLINE static std::uint64_t word_of_flags(Mark const* flags) {
    std::uint64_t word = 0;
    UPSWEEP_UNROLL_ALL
    for (int k = 0; k < vectors; ++k)
      word |= lanes::differ(load(flags + k * lanes::count), vector{}) << (k * lanes::count % 64);
    return word;
  }
  /// `before` ends with the key before the first one; then with the last one.
  UPSWEEP_INLINE static std::uint64_t word_of_keys(Mark const* keys, vector& before) {
    std::uint64_t word = 0;
    UPSWEEP_UNROLL_ALL
    for (int k = 0; k < vectors; ++k) {
      vector const now = load(keys + k * lanes::count);
      word |= lanes::differ(now, lanes::template shift<1>(before, now)) << (k * lanes::count % 64);
      before = now;
    }
    return word;
  }

  static void of_flags(Mark const* flags, std::size_t n, std::uint64_t* heads) {
    for (; n >= 64; n -= 64, flags += 64) *heads++ = word_of_flags(flags);
    if (n == 0) return;
    Mark last[64] = {};
    __builtin_memcpy(last, flags, n * sizeof(Mark));
    *heads = word_of_flags(last);
  }
  static void of_keys(Mark const* keys, std::size_t n, Mark first, std::uint64_t* heads) {
    vector before = first - vector{};
    for (; n >= 64; n -= 64, keys += 64) *heads++ = word_of_keys(keys, before);
    if (n == 0) return;
    Mark last[64] = {};
    __builtin_memcpy(last, keys, n * sizeof(Mark));
    *heads = word_of_keys(last, before);
  }

  static constexpr head_kernels<Mark> make_table() {
    if constexpr (sizeof(Mark) == 1) return {of_flags, nullptr};
    else return {of_flags, of_keys};
  }
  static constexpr head_kernels<Mark> table = make_table();
};

template <template <class> class Lanes, class Mark>
head_kernels<Mark> const& head_kernels_of() noexcept {
  return head_words<Mark, Lanes>::table;
}

}  // namespace upsweep::scan::detail
