// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Numbers sorted by a bitonic network of vectors. To be included where the target is set.
//
// All comparators point up, so that what is missing to a power of two may be thought of as infinite: the comparators of
// a step that merges runs of `size` elements are k and k ^ (size - 1), then k and k ^ size/4, k ^ size/8, ..., k ^ 1.
// In a block of R vectors, element k is element k / R of vector k % R: the shortest distances, of which a network has
// most, are from vector to vector then, and need no shuffle.
// Source: K. E. Batcher, *Sorting networks and their applications* (1968).

#include "inline.hpp"

#include <cstddef>
#include <limits>
#include <utility>

namespace upsweep::internal {

/// Lanes<T>: vectors of one instruction set.
template <class T, template <class> class Lanes>
struct sort_network {
  using lanes = Lanes<T>;
  using vector = typename lanes::vector;
  static constexpr int count = lanes::count;
  /// Vectors that are sorted in registers: half of AVX2's.
  static constexpr int most = 8;
  static constexpr std::size_t block = most * count;
  using registers = vector[most];

  /// The n elements of `in` to `out`, which has room for whole blocks, and may be `in`.
  static void sort(T const* in, std::size_t n, T* out) {
    std::size_t const vectors = (n + block - 1) / block * most;
    for (std::size_t b = 0; b < vectors; b += most) {
      registers v;
      UPSWEEP_UNROLL_ALL
      for (int r = 0; r < most; ++r) v[r] = load(in, (b + static_cast<std::size_t>(r)) * count, n);
      sort_registers<most, 2>(v);
      put(v, vectors == most, out + b * count);
    }
    for (std::size_t size = 2 * most; size < 2 * vectors; size *= 2) {
      for (std::size_t k = 0; k < vectors; ++k)
        if (std::size_t const other = k ^ (size - 1); k < other && other < vectors)
          compare_in_memory<true>(out + k * count, out + other * count);
      for (std::size_t distance = size / 4; distance >= most; distance /= 2)
        for (std::size_t first = 0; first + distance < vectors; first += 2 * distance) {
          std::size_t const end = vectors - distance < first + distance ? vectors - distance : first + distance;
          for (std::size_t k = first; k < end; ++k)
            compare_in_memory<false>(out + k * count, out + (k + distance) * count);
        }
      for (std::size_t b = 0; b < vectors; b += most) {
        registers v;
        UPSWEEP_UNROLL_ALL
        for (int r = 0; r < most; ++r) v[r] = lanes::load(out + (b + static_cast<std::size_t>(r)) * count);
        merge<most, block / 2>(v);
        put(v, size >= vectors, out + b * count);
      }
    }
  }

  /// The vector at `begin` of n elements, infinite behind their end.
  UPSWEEP_INLINE static vector load(T const* in, std::size_t begin, std::size_t n) {
    vector const infinite = lanes::all(std::numeric_limits<T>::max());
    if (begin >= n) return infinite;
    return begin + count <= n ? lanes::load(in + begin) : lanes::load_first(in + begin, n - begin, infinite);
  }

  /// Sorts R vectors: the first has the smallest elements, in order.
  template <int R>
  UPSWEEP_INLINE static void sort_vectors(registers& v) {
    sort_registers<R, 2>(v);
    side_by_side<R, 1>(v);
  }

 private:
  using numbers = std::make_integer_sequence<int, count>;

  // Comparators.
  UPSWEEP_INLINE static vector lower(vector a, vector b) { return a < b ? a : b; }
  UPSWEEP_INLINE static vector higher(vector a, vector b) { return a < b ? b : a; }
  template <int Bits, int... K>
  UPSWEEP_INLINE static vector exchanged(vector v, std::integer_sequence<int, K...>) {
    return __builtin_shufflevector(v, v, (K ^ Bits)...);
  }
  template <int Bit, int... K>
  UPSWEEP_INLINE static vector chosen(vector low, vector high, std::integer_sequence<int, K...>) {
    return __builtin_shufflevector(low, high, ((K & Bit) != 0 ? K + count : K)...);
  }
  static constexpr int highest_bit(int bits) {
    int bit = 1;
    while (2 * bit <= bits) bit *= 2;
    return bit;
  }
  /// What stays in v where element k meets element k ^ Bits of `other`.
  template <int Bits>
  UPSWEEP_INLINE static vector compared(vector v, vector other) {
    vector const met = exchanged<Bits>(other, numbers());
    return chosen<highest_bit(Bits)>(lower(v, met), higher(v, met), numbers());
  }
  /// Elements k of two vectors.
  UPSWEEP_INLINE static void compare(vector& a, vector& b) {
    vector const low = lower(a, b);
    b = higher(a, b);
    a = low;
  }
  /// Element k of one and element count - 1 - k of the other.
  UPSWEEP_INLINE static void compare_reversed(vector& a, vector& b) {
    vector const reversed = exchanged<count - 1>(b, numbers());
    b = exchanged<count - 1>(higher(a, reversed), numbers());
    a = lower(a, reversed);
  }

  // R vectors in registers.
  template <int R, int Distance>
  UPSWEEP_INLINE static void merge(registers& v) {
    if constexpr (Distance >= R) {
      UPSWEEP_UNROLL_ALL
      for (int r = 0; r < R; ++r) v[r] = compared<Distance / R>(v[r], v[r]);
      merge<R, Distance / 2>(v);
    } else if constexpr (Distance > 0) {
      UPSWEEP_UNROLL_ALL
      for (int r = 0; r < R; ++r)
        if ((r & Distance) == 0) compare(v[r], v[r + Distance]);
      merge<R, Distance / 2>(v);
    }
  }
  template <int R, int Size>
  UPSWEEP_INLINE static void sort_registers(registers& v) {
    if constexpr (Size <= R * count) {
      if constexpr (Size <= R) {
        UPSWEEP_UNROLL_ALL
        for (int r = 0; r < R; ++r)
          if (r < (r ^ (Size - 1))) compare(v[r], v[r ^ (Size - 1)]);
      } else {
        constexpr int lanes_apart = Size / R - 1;
        UPSWEEP_UNROLL_ALL
        for (int r = 0; r < (R + 1) / 2; ++r) {
          vector const a = v[r], b = v[R - 1 - r];
          v[r] = compared<lanes_apart>(a, b);
          v[R - 1 - r] = compared<lanes_apart>(b, a);
        }
      }
      merge<R, Size / 4>(v);
      sort_registers<R, 2 * Size>(v);
    }
  }
  template <int Half, int... K>
  UPSWEEP_INLINE static vector alternating(vector a, vector b, std::integer_sequence<int, K...>) {
    return __builtin_shufflevector(a, b, ((K % 2) * count + (Half * count + K) / 2)...);
  }
  /// Element k / R of vector k % R becomes element k % count of vector k / count.
  template <int R, int Step>
  UPSWEEP_INLINE static void side_by_side(registers& v) {
    if constexpr (Step < R) {
      registers w;
      UPSWEEP_UNROLL_ALL
      for (int r = 0; r < R / 2; ++r) {
        w[2 * r] = alternating<0>(v[r], v[r + R / 2], numbers());
        w[2 * r + 1] = alternating<1>(v[r], v[r + R / 2], numbers());
      }
      UPSWEEP_UNROLL_ALL
      for (int r = 0; r < R; ++r) v[r] = w[r];
      side_by_side<R, 2 * Step>(v);
    }
  }

  // Blocks in memory.
  UPSWEEP_INLINE static void put(registers& v, bool last, T* out) {
    if (last) side_by_side<most, 1>(v);
    UPSWEEP_UNROLL_ALL
    for (int r = 0; r < most; ++r) lanes::store(out + r * count, v[r]);
  }
  template <bool Reversed>
  UPSWEEP_INLINE static void compare_in_memory(T* at, T* other) {
    vector a = lanes::load(at), b = lanes::load(other);
    if constexpr (Reversed) compare_reversed(a, b);
    else compare(a, b);
    lanes::store(at, a);
    lanes::store(other, b);
  }
};

}  // namespace upsweep::internal
