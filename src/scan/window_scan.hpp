// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Fold and scan of one tile of built-in elements, over the vectors of one instruction set (Lanes).
//
// The unit is a block of 64 bytes: L = 64 / sizeof(T) elements, in one 64-byte vector, two of 32 or four of 16. An
// element's result is defined by its index in the tile alone, so all instruction sets give the same bits:
//
//   windows   w1[i] = x[i];  w2[i] = w1[i-1] + w1[i];  w4[i] = w2[i-2] + w2[i];  ...  up to L elements
//   scan      s[i]  = s[i-L] + wL[i];  the prefix stands for s[i-L] of the first block
// fold blocks 0, 4, 8, ... in one accumulator, 1, 5, ... in the next, and so on; (a0 + a1) + (a2 + a3); then halves
//
// What stands before the first element is the neutral element, -0.0 for floating-point sums, because 0.0 + -0.0 is 0.0:
// so a result is a sum of the prefix and of elements and of nothing else. The windows cross the borders of vectors: the
// only dependence from block to block is one addition, and no lane is ever broadcast.
//
// Tried on AVX-512, 2^14 float / double in cache: Kogge-Stone inside a vector and a broadcast carry, 2.72 / 4.55 us;
// the windows, 2.30 / 3.99; with the first shift as an unaligned load, 2.51 / 4.09. A copy takes 1.60 / 3.19.
// Prefetching the output for writing, 8 lines ahead: double 3.4 in place of 3.6 alone, but 2 to 5 % slower as a part of
// a whole scan.

#include "cpu_kernel_tables.hpp"
#include "../base/vectors/inline.hpp"

#include <upsweep/scan/detail/cpu/cpu_kernels.hpp>

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace upsweep::scan::detail {

template <class T, cpu_operation Operation>
struct vector_operation {
  /// Combines with any x to exactly x.
  static constexpr T neutral = Operation == cpu_operation::min   ? std::numeric_limits<T>::max()
                               : Operation == cpu_operation::max ? std::numeric_limits<T>::lowest()
                               : std::is_floating_point_v<T>     ? T(-0.0)
                                                                 : T(0);
  template <class Value>
  UPSWEEP_INLINE static Value apply(Value left, Value right) {
    if constexpr (Operation == cpu_operation::plus) return left + right;
    else if constexpr (Operation == cpu_operation::min) return right < left ? right : left;
    else return left < right ? right : left;
  }
};

template <class T, template <class> class Lanes, cpu_operation Operation>
struct window_scan {
  using lanes = Lanes<T>;
  using vector = typename lanes::vector;
  using operation = vector_operation<T, Operation>;
  static constexpr int block_size = 64 / sizeof(T);
  static constexpr int vectors = block_size / lanes::count;

  struct block {
    vector part[vectors];
  };

  UPSWEEP_INLINE static block fill(T value) {
    block b;
    UPSWEEP_UNROLL_PARTS
    for (int k = 0; k < vectors; ++k) b.part[k] = lanes::all(value);
    return b;
  }
  UPSWEEP_INLINE static block load(T const* in) {
    block b;
    __builtin_memcpy(&b, in, sizeof b);
    return b;
  }
  UPSWEEP_INLINE static block load_part(T const* in, std::size_t n) {
    block b = fill(operation::neutral);
    __builtin_memcpy(&b, in, n * sizeof(T));
    return b;
  }
  template <bool Streaming>
  UPSWEEP_INLINE static void store(T* out, block const& b) {
    if constexpr (Streaming) {
      UPSWEEP_UNROLL_PARTS
      for (int k = 0; k < vectors; ++k) lanes::stream(out + k * lanes::count, b.part[k]);
    } else {
      __builtin_memcpy(out, &b, sizeof b);
    }
  }
  UPSWEEP_INLINE static block combine(block const& left, block const& right) {
    block b;
    UPSWEEP_UNROLL_PARTS
    for (int k = 0; k < vectors; ++k) b.part[k] = operation::apply(left.part[k], right.part[k]);
    return b;
  }

  /// Part `Index` of what lies Distance elements before `now`.
  template <int Distance, int Index>
  UPSWEEP_INLINE static vector part_before(block const& before, block const& now) {
    constexpr int whole = Distance / lanes::count, rest = Distance % lanes::count;
    constexpr int right = Index - whole, left = right - 1;
    vector r, l;
    if constexpr (right >= 0) r = now.part[right];
    else r = before.part[vectors + right];
    if constexpr (rest == 0) return r;
    else {
      if constexpr (left >= 0) l = now.part[left];
      else l = before.part[vectors + left];
      return lanes::template shift<rest>(l, r);
    }
  }
  template <int Distance>
  UPSWEEP_INLINE static block shift(block const& before, block const& now) {
    block b;
    b.part[0] = part_before<Distance, 0>(before, now);
    if constexpr (vectors > 1) b.part[1] = part_before<Distance, 1>(before, now);
    if constexpr (vectors > 2) {
      b.part[2] = part_before<Distance, 2>(before, now);
      b.part[3] = part_before<Distance, 3>(before, now);
    }
    return b;
  }

  /// What one block needs from the block before it.
  struct carried {
    block input, w2, w4, w8, sum;
  };

  /// The scan of the next block.
  template <bool Inclusive>
  UPSWEEP_INLINE static block next(carried& c, block x) {
    block w = Inclusive ? combine(shift<1>(c.input, x), x) : combine(shift<2>(c.input, x), shift<1>(c.input, x));
    c.input = x;
    block const w2 = w;
    w = combine(shift<2>(c.w2, w), w);
    c.w2 = w2;
    block const w4 = w;
    w = combine(shift<4>(c.w4, w), w);
    c.w4 = w4;
    if constexpr (block_size == 16) {
      block const w8 = w;
      w = combine(shift<8>(c.w8, w), w);
      c.w8 = w8;
    }
    c.sum = combine(c.sum, w);
    return c.sum;
  }

  template <bool Inclusive, bool Streaming>
  static void scan(T const* in, T* out, std::size_t n, T prefix, T const* ahead, std::size_t ahead_stride) {
    block const none = fill(operation::neutral);
    carried c{none, none, none, none, fill(prefix)};
    std::size_t i = 0;
    for (; i + 4 * block_size <= n; i += 4 * block_size) {
      if (ahead != nullptr) {
        // A line of each of four runs: more pages at a time keep more of the hardware's prefetching busy.
        UPSWEEP_UNROLL_PARTS
        for (int k = 0; k < 4; ++k) __builtin_prefetch(ahead + std::size_t(k) * ahead_stride, 0, 3);
        ahead += block_size;
      }
      UPSWEEP_UNROLL_PARTS
      for (int k = 0; k < 4; ++k)
        store<Streaming>(out + i + k * block_size, next<Inclusive>(c, load(in + i + k * block_size)));
    }
    for (; i + block_size <= n; i += block_size) store<Streaming>(out + i, next<Inclusive>(c, load(in + i)));
    if (i < n) {
      block const last = next<Inclusive>(c, load_part(in + i, n - i));
      __builtin_memcpy(out + i, &last, (n - i) * sizeof(T));
    }
  }

  static T fold(T const* in, std::size_t n) {
    block const none = fill(operation::neutral);
    block a0 = none, a1 = none, a2 = none, a3 = none;
    std::size_t i = 0;
    for (; i + 4 * block_size <= n; i += 4 * block_size) {
      a0 = combine(a0, load(in + i));
      a1 = combine(a1, load(in + i + block_size));
      a2 = combine(a2, load(in + i + 2 * block_size));
      a3 = combine(a3, load(in + i + 3 * block_size));
    }
    if (i < n) {
      block rest[4] = {none, none, none, none};
      for (int k = 0; i < n; ++k, i += block_size)
        rest[k] = n - i >= block_size ? load(in + i) : load_part(in + i, n - i);
      a0 = combine(a0, rest[0]);
      a1 = combine(a1, rest[1]);
      a2 = combine(a2, rest[2]);
      a3 = combine(a3, rest[3]);
    }
    block const sums = combine(combine(a0, a1), combine(a2, a3));
    if constexpr (vectors == 4)
      return fold_halves(
          operation::apply(operation::apply(sums.part[0], sums.part[2]), operation::apply(sums.part[1], sums.part[3])),
          std::make_integer_sequence<int, lanes::count / 2>());
    else if constexpr (vectors == 2)
      return fold_halves(operation::apply(sums.part[0], sums.part[1]),
                         std::make_integer_sequence<int, lanes::count / 2>());
    else return fold_halves(sums.part[0], std::make_integer_sequence<int, lanes::count / 2>());
  }
  /// Each element with the one half a vector behind it, until there is one. In registers: through memory it takes 15
  /// ns.
  template <class Vector, int... K>
  UPSWEEP_INLINE static T fold_halves(Vector v, std::integer_sequence<int, K...>) {
    constexpr int half = sizeof...(K);
    if constexpr (half == 1) return operation::apply(v[0], v[1]);
    else
      return fold_halves(
          operation::apply(__builtin_shufflevector(v, v, K...), __builtin_shufflevector(v, v, (K + half)...)),
          std::make_integer_sequence<int, half / 2>());
  }

  static constexpr cpu_kernels<T> table{
      fold, fold, {scan<false, false>, scan<true, false>}, {scan<false, true>, scan<true, true>}, lanes::drain};
};

/// To be specialised where a kernel of another instruction set is faster.
template <class T, template <class> class Lanes, cpu_operation Operation>
inline constexpr cpu_kernels<T> table_of = window_scan<T, Lanes, Operation>::table;

template <template <class> class Lanes, class T, cpu_operation Operation>
cpu_kernels<T> const& kernels_of() noexcept {
  return table_of<T, Lanes, Operation>;
}

}  // namespace upsweep::scan::detail
