// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Rows sorted by a bitonic network of vectors. To be included where the target is set.
//
// All comparators point up, so that what is missing to a power of two may be thought of as infinite: the comparators of
// a step that merges runs of `size` elements are k and k ^ (size - 1), then k and k ^ size/4, k ^ size/8, ..., k ^ 1.
// Source: K. E. Batcher, *Sorting networks and their applications* (1968).

#include "../base/vectors/inline.hpp"
#include "cpu_kernel_tables.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace upsweep::pack::detail {

/// Lanes<T>: the vectors of src/base/vectors for one instruction set.
template <class T, template <class> class Lanes>
struct row_network {
  using lanes = Lanes<T>;
  using vector = typename lanes::vector;
  static constexpr int count = lanes::count;
  /// Vectors that are sorted in registers: half of AVX2's.
  static constexpr int most = 8;
  static constexpr std::size_t block = most * count;
  static_assert(row_padding % block == 0);

  static std::size_t unique(T const* in, std::size_t n, T* buffer, T* out) {
    switch ((n + count - 1) / count) {
      case 0: return 0;
      case 1: return unique_in_registers<1>(in, n, out);
      case 2: return unique_in_registers<2>(in, n, out);
      case 3:
      case 4: return unique_in_registers<4>(in, n, out);
      case 5:
      case 6:
      case 7:
      case 8: return unique_in_registers<8>(in, n, out);
      default: sort(in, n, buffer); return unique_of_sorted(buffer, n, out);
    }
  }

 private:
  using numbers = std::make_integer_sequence<int, count>;
  using registers = vector[most];

  /// The vector at `begin` of n elements, infinite behind their end.
  UPSWEEP_INLINE static vector load(T const* in, std::size_t begin, std::size_t n) {
    vector const infinite = lanes::all(std::numeric_limits<T>::max());
    if (begin >= n) return infinite;
    return begin + count <= n ? lanes::load(in + begin) : lanes::load_first(in + begin, n - begin, infinite);
  }
  static constexpr std::uint64_t first_bits(std::size_t n) {
    return n >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << n) - 1;
  }

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
  /// Elements k and k ^ Bits of one vector.
  template <int Bits>
  UPSWEEP_INLINE static vector compare_within(vector v) {
    vector const other = exchanged<Bits>(v, numbers());
    return chosen<highest_bit(Bits)>(lower(v, other), higher(v, other), numbers());
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
    if constexpr (Distance >= count) {
      constexpr int d = Distance / count;
      UPSWEEP_UNROLL_ALL
      for (int r = 0; r < R; ++r)
        if ((r & d) == 0) compare(v[r], v[r + d]);
      merge<R, Distance / 2>(v);
    } else if constexpr (Distance > 0) {
      UPSWEEP_UNROLL_ALL
      for (int r = 0; r < R; ++r) v[r] = compare_within<Distance>(v[r]);
      merge<R, Distance / 2>(v);
    }
  }
  template <int R, int Size>
  UPSWEEP_INLINE static void sort_registers(registers& v) {
    if constexpr (Size <= R * count) {
      UPSWEEP_UNROLL_ALL
      for (int r = 0; r < R; ++r) {
        if constexpr (Size <= count) {
          v[r] = compare_within<Size - 1>(v[r]);
        } else {
          constexpr int d = Size / count - 1;
          if (r < (r ^ d)) compare_reversed(v[r], v[r ^ d]);
        }
      }
      merge<R, Size / 4>(v);
      sort_registers<R, 2 * Size>(v);
    }
  }
  template <int R>
  static std::size_t unique_in_registers(T const* in, std::size_t n, T* out) {
    registers v;
    UPSWEEP_UNROLL_ALL
    for (int r = 0; r < R; ++r) v[r] = load(in, static_cast<std::size_t>(r) * count, n);
    sort_registers<R, 2>(v);
    std::size_t found = 0;
    UPSWEEP_UNROLL_ALL
    for (int r = 0; r < R; ++r) {
      std::size_t const begin = static_cast<std::size_t>(r) * count;
      if (begin < n) found += put_heads(v[r == 0 ? 0 : r - 1], v[r], begin, n, out, found);
    }
    return found;
  }

  /// Elements of a sorted vector that differ from the one before; `left` is the vector before.
  UPSWEEP_INLINE static std::size_t put_heads(vector left, vector v, std::size_t begin, std::size_t n, T* out,
                                              std::size_t found) {
    std::uint64_t heads = lanes::differ(v, lanes::template shift<1>(left, v)) & first_bits(n - begin);
    if (begin == 0) heads |= 1;
    auto const here = static_cast<std::size_t>(__builtin_popcountll(heads));
    if (out != nullptr) lanes::store_chosen(out + found, here, static_cast<unsigned>(heads), v);
    return here;
  }

  // Longer rows in memory, block by block.
  static void sort(T const* in, std::size_t n, T* buffer) {
    std::size_t const vectors = (n + block - 1) / block * most;
    for (std::size_t b = 0; b < vectors; b += most) {
      registers v;
      UPSWEEP_UNROLL_ALL
      for (int r = 0; r < most; ++r) v[r] = load(in, (b + static_cast<std::size_t>(r)) * count, n);
      sort_registers<most, 2>(v);
      put_back(v, buffer + b * count);
    }
    for (std::size_t size = 2 * most; size < 2 * vectors; size *= 2) {
      for (std::size_t k = 0; k < vectors; ++k)
        if (std::size_t const other = k ^ (size - 1); k < other && other < vectors)
          compare_in_memory<true>(buffer + k * count, buffer + other * count);
      for (std::size_t distance = size / 4; distance >= most; distance /= 2)
        for (std::size_t first = 0; first + distance < vectors; first += 2 * distance) {
          std::size_t const end = vectors - distance < first + distance ? vectors - distance : first + distance;
          for (std::size_t k = first; k < end; ++k)
            compare_in_memory<false>(buffer + k * count, buffer + (k + distance) * count);
        }
      for (std::size_t b = 0; b < vectors; b += most) {
        registers v;
        UPSWEEP_UNROLL_ALL
        for (int r = 0; r < most; ++r) v[r] = lanes::load(buffer + (b + static_cast<std::size_t>(r)) * count);
        merge<most, block / 2>(v);
        put_back(v, buffer + b * count);
      }
    }
  }
  UPSWEEP_INLINE static void put_back(registers& v, T* out) {
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
  static std::size_t unique_of_sorted(T const* sorted, std::size_t n, T* out) {
    std::size_t found = 0;
    vector left = lanes::load(sorted);
    for (std::size_t begin = 0; begin < n; begin += count) {
      vector const v = lanes::load(sorted + begin);  // before what is put, which may go to the same memory
      found += put_heads(left, v, begin, n, out, found);
      left = v;
    }
    return found;
  }
};

template <class T, template <class> class Lanes>
inline constexpr row_kernels<T> row_table{row_network<T, Lanes>::unique};

template <template <class> class Lanes, class T>
row_kernels<T> const& rows_of() noexcept {
  return row_table<T, Lanes>;
}

}  // namespace upsweep::pack::detail

#define UPSWEEP_ROWS_OF(lanes)                                                         \
  template row_kernels<std::int32_t> const& rows_of<lanes, std::int32_t>() noexcept;   \
  template row_kernels<std::uint32_t> const& rows_of<lanes, std::uint32_t>() noexcept; \
  template row_kernels<std::int64_t> const& rows_of<lanes, std::int64_t>() noexcept;   \
  template row_kernels<std::uint64_t> const& rows_of<lanes, std::uint64_t>() noexcept;
