// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "hit_loops.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace upsweep::neighbors::detail {

template <class T>
struct one_lane {
  using vector = T;
  static constexpr int count = 1, together = 2;
  UPSWEEP_INLINE static T all(T x) { return x; }
  UPSWEEP_INLINE static T load(T const* p) { return *p; }
  UPSWEEP_INLINE static T load_first(T const* p, std::size_t) { return *p; }
  UPSWEEP_INLINE static void store(T* p, T x) { *p = x; }
  /// (p - origin) + shift.
  template <bool Shifted>
  UPSWEEP_INLINE static float relative(T const* p, T origin, T shift) {
    return static_cast<float>((*p - origin) + shift);
  }
  UPSWEEP_INLINE static T mul(T a, T b) { return a * b; }
  UPSWEEP_INLINE static T max(T a, T b) { return a < b ? b : a; }
  // Not std::fma, which is a call where there is no such instruction: distance_filter.hpp allows either.
  UPSWEEP_INLINE static T fma(T a, T b, T c) { return a * b + c; }
  UPSWEEP_INLINE static std::uint32_t at_most(T a, T b) { return a <= b ? 1 : 0; }
  using word = std::uint32_t;
  UPSWEEP_INLINE static void put(word& word, std::uint32_t* at, int part, std::uint32_t bits) {
    word = part == 0 ? bits : word | bits << part;
    if (part == 31) *at = word;
  }
  using open_pairs = std::uint32_t;
  UPSWEEP_INLINE static open_pairs no_open(T) { return 0; }
  UPSWEEP_INLINE static void note_open(open_pairs& some, std::uint32_t within, T d, T certain) {
    some |= within ^ at_most(d, certain);
  }
  UPSWEEP_INLINE static bool any_open(open_pairs some, T) { return some != 0; }
  UPSWEEP_INLINE static std::uint32_t greater(T a, T b) { return a > b ? 1 : 0; }
  UPSWEEP_INLINE static std::uint32_t equal(T a, T b) { return a == b ? 1 : 0; }
  UPSWEEP_INLINE static std::uint32_t odd(int a) { return static_cast<std::uint32_t>(a & 1); }
  /// The bits of 32 marks, which it clears.
  UPSWEEP_INLINE static std::uint32_t take_marks(unsigned char* marks) {
    std::uint32_t bits = 0;
    for (int k = 0; k < 32; ++k) bits |= static_cast<std::uint32_t>(marks[k] != 0) << k;
    std::fill_n(marks, 32, static_cast<unsigned char>(0));
    return bits;
  }
  UPSWEEP_INLINE static int ones(std::uint64_t bits) { return std::popcount(bits); }
  UPSWEEP_INLINE static T* append(T* out, T const* in, std::uint32_t bits) {
    *out = *in;
    return out + bits;
  }
  UPSWEEP_INLINE static void stream_all(T const* in, int n, T* out) { std::copy(in, in + n, out); }
  /// Digit by digit, of the bits in which words differ.
  static void sort(T* words, int n, int low, T* other) {
    constexpr int widest = 10;
    T differs = 0;
    for (int k = 1; k < n; ++k) differs |= words[k] ^ words[0];
    int const bits = std::max(static_cast<int>(std::bit_width(differs)) - low, 0);
    int const passes = (bits + widest - 1) / widest, width = passes == 0 ? 0 : (bits + passes - 1) / passes;
    T *from = words, *to = other;
    for (int pass = 0; pass < passes; ++pass, std::swap(from, to)) {
      int const first = low + pass * width;
      T const mask = (T(1) << width) - 1;
      int begin[(1 << widest) + 1];
      std::fill_n(begin, (std::size_t(1) << width) + 1, 0);
      for (int k = 0; k < n; ++k) ++begin[(from[k] >> first & mask) + 1];
      std::partial_sum(begin, begin + (1 << width), begin);
      for (int k = 0; k < n; ++k) to[begin[from[k] >> first & mask]++] = from[k];
    }
    if (from != words) std::copy_n(from, n, words);
  }
  UPSWEEP_INLINE static void prefetch_write(T const*) {}
  UPSWEEP_INLINE static void drain() {}
};

template cpu_hit_kernels<float> const& hits_of<one_lane, float>() noexcept;
template cpu_hit_kernels<double> const& hits_of<one_lane, double>() noexcept;

}  // namespace upsweep::neighbors::detail
