// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Segmented scan over the vectors of one instruction set: the windows of window_scan.hpp, which end at a head.
//
//   bits      c1[i] = no head at i;   c2[i] = c1[i-1] & c1[i];               c4[i] = c2[i-2] & c2[i];  ...
//   windows   w1[i] = x[i];   w2[i] = c1[i] ? w1[i-1] + w1[i] : w1[i];   w4[i] = c2[i] ? w2[i-2] + w2[i] : w2[i];  ...
//   scan      s[i] = cL[i] ? s[i-L] + wL[i] : wL[i]
//
// Bits are made for 64 elements at a time. No branch depends on them. AVX-512 has one instruction for each step of a
// window: an addition under a mask.
//
// Tried on an AMD EPYC 9004 (AVX-512), inclusive, cycles for 64 bytes of results, in cache:
//
//                                                         double   float   int64   int32
//   without segments (window_scan.hpp)                      5.5     7.5     4.2     5.6
//   add, then choose; bits of 32 elements                   8.5    12.0     6.9     9.8
//   additions under masks                                   7.1    10.4     6.9     9.8
//   and bits of 64 elements                                 7.0     9.4     6.7     8.9
//   and bits of 2048 elements                               7.5    11.2     7.2    10.7
//   32, the same step of all blocks before the next step    6.9    10.2     6.6     9.9   exclusive: slower
//
// Of the 7 cycles 0.6 are for making bits and 0.8 for loading masks. The chain from block to block is 3 cycles, so
// several parts side by side, each from a head on, would not be faster. With AVX2, 64 in place of 32: float 17.8 for
// 17.1, exclusive 21.1 for 22.5; int32 16.4 for 17.0; the others as before.

#include "window_scan.hpp"

#include <upsweep/scan/detail/cpu/cpu_segment_kernels.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace upsweep::scan::detail {

template <class T, template <class> class Lanes, cpu_operation Operation>
struct segment_windows {
  using windows = window_scan<T, Lanes, Operation>;
  using block = typename windows::block;
  using lanes = Lanes<T>;
  using operation = vector_operation<T, Operation>;
  using mask_bits = typename lanes::mask_bits;
  static constexpr int block_size = windows::block_size;
  /// An exclusive result at a head: the identity, of sums 0.0.
  static constexpr T at_head = Operation == cpu_operation::plus ? T(0) : operation::neutral;

  /// c1, c2, c4, ... of 64 elements.
  static constexpr int levels = block_size == 16 ? 5 : 4;
  struct continued {
    std::uint64_t c[levels];
  };
  /// From those of 64 elements to those of the next 64.
  UPSWEEP_INLINE static void next_bits(continued& bits, std::uint64_t heads) {
    std::uint64_t c = ~heads;
    UPSWEEP_UNROLL_ALL
    for (int k = 0; k < levels; ++k) {
      int const distance = 1 << k;
      std::uint64_t const earlier = c << distance | bits.c[k] >> (64 - distance);
      bits.c[k] = c;
      c &= earlier;
    }
    lanes::keep(bits.c);
  }
  /// Bits of 32 elements.
  struct half_bits {
    mask_bits of_1, of_2, of_4, of_8, of_16;
  };
  template <int Half>
  UPSWEEP_INLINE static half_bits half_of(continued const& bits) {
    half_bits half;
    half.of_1 = lanes::template half_of<Half>(bits.c[0]);
    half.of_2 = lanes::template half_of<Half>(bits.c[1]);
    half.of_4 = lanes::template half_of<Half>(bits.c[2]);
    half.of_8 = lanes::template half_of<Half>(bits.c[3]);
    if constexpr (block_size == 16) half.of_16 = lanes::template half_of<Half>(bits.c[4]);
    return half;
  }

  /// `a` where a bit is set, from bit At on, else `b`.
  template <int At>
  UPSWEEP_INLINE static block choose(mask_bits const& bits, block const& a, block const& b) {
    block c;
    c.part[0] = lanes::template choose<At>(bits, a.part[0], b.part[0]);
    if constexpr (windows::vectors > 1)
      c.part[1] = lanes::template choose<At + lanes::count>(bits, a.part[1], b.part[1]);
    if constexpr (windows::vectors > 2) {
      c.part[2] = lanes::template choose<At + 2 * lanes::count>(bits, a.part[2], b.part[2]);
      c.part[3] = lanes::template choose<At + 3 * lanes::count>(bits, a.part[3], b.part[3]);
    }
    return c;
  }
  /// `w`, combined with `before` where a bit is set.
  template <int At>
  UPSWEEP_INLINE static block combine_where(mask_bits const& bits, block const& w, block const& before) {
    if constexpr (requires(typename lanes::vector v) { lanes::template add_where<At>(bits, v, v); }) {
      static_assert(windows::vectors == 1 && Operation == cpu_operation::plus);
      return {{lanes::template add_where<At>(bits, w.part[0], before.part[0])}};
    } else {
      return choose<At>(bits, windows::combine(w, before), w);
    }
  }
  /// One step of the windows, from Distance to twice that.
  template <int Distance, int At>
  UPSWEEP_INLINE static void widen(mask_bits const& bits, block& before, block& w) {
    block const narrow = w;
    w = combine_where<At>(bits, w, windows::template shift<Distance>(before, w));
    before = narrow;
  }

  /// What one block needs from the block before it.
  struct carried {
    block input, w2, w4, w8, sum;
  };

  /// The scan of the next block, whose bits begin at bit At.
  template <bool Inclusive, int At>
  UPSWEEP_INLINE static block next(carried& c, block w, half_bits const& bits) {
    widen<1, At>(bits.of_1, c.input, w);
    widen<2, At>(bits.of_2, c.w2, w);
    widen<4, At>(bits.of_4, c.w4, w);
    if constexpr (block_size == 16) widen<8, At>(bits.of_8, c.w8, w);
    block const before = c.sum;
    if constexpr (block_size == 16) c.sum = combine_where<At>(bits.of_16, w, before);
    else c.sum = combine_where<At>(bits.of_8, w, before);
    if constexpr (Inclusive) return c.sum;
    else return choose<At>(bits.of_1, windows::template shift<1>(before, c.sum), windows::fill(at_head));
  }
  template <bool Inclusive, int... Block>
  UPSWEEP_INLINE static void next_32(carried& c, T const* in, T* out, half_bits const& bits,
                                     std::integer_sequence<int, Block...>) {
    constexpr int size = block_size;
    (windows::template store<false>(out + Block * size,
                                    next<Inclusive, Block * size>(c, windows::load(in + Block * size), bits)),
     ...);
  }

  template <bool Inclusive>
  UPSWEEP_INLINE static void next_64(carried& c, T const* in, T* out, continued const& bits) {
    std::make_integer_sequence<int, 32 / block_size> constexpr blocks;
    next_32<Inclusive>(c, in, out, half_of<0>(bits), blocks);
    next_32<Inclusive>(c, in + 32, out + 32, half_of<1>(bits), blocks);
  }

  template <bool Inclusive>
  static T scan(T const* in, T* out, std::size_t n, T prefix, std::uint64_t const* heads) {
    block const none = windows::fill(operation::neutral);
    carried c{none, none, none, none, windows::fill(prefix)};
    continued bits;
    for (std::uint64_t& word : bits.c) word = ~std::uint64_t(0);
    std::size_t i = 0;
    for (; i + 64 <= n; i += 64) {
      next_bits(bits, heads[i / 64]);
      next_64<Inclusive>(c, in + i, out + i, bits);
    }
    if (i < n) {
      T rest[64];
      std::size_t const length = n - i;
      for (std::size_t k = 0; k < 64; ++k) rest[k] = k < length ? in[i + k] : operation::neutral;
      next_bits(bits, heads[i / 64] & (~std::uint64_t(0) >> (64 - length)));
      next_64<Inclusive>(c, rest, rest, bits);
      __builtin_memcpy(out + i, rest, length * sizeof(T));
    }
    T sums[block_size];
    __builtin_memcpy(sums, &c.sum, sizeof sums);
    return sums[block_size - 1];
  }

  static constexpr segment_kernels<T> table{{scan<false>, scan<true>}};
};

template <template <class> class Lanes, class T, cpu_operation Operation>
segment_kernels<T> const& segment_kernels_of() noexcept {
  return segment_windows<T, Lanes, Operation>::table;
}

}  // namespace upsweep::scan::detail
