// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Rows sorted, each value once, in vectors. To be included where the target is set.

#include "../base/vectors/inline.hpp"
#include "../base/vectors/sort_network.hpp"
#include "cpu_kernel_tables.hpp"

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// Lanes<T>: the vectors of src/base/vectors for one instruction set.
template <class T, template <class> class Lanes>
struct row_network {
  using network = internal::sort_network<T, Lanes>;
  using lanes = Lanes<T>;
  using vector = typename lanes::vector;
  static constexpr int count = lanes::count;
  static_assert(row_padding % network::block == 0);

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
      default: network::sort(in, n, buffer); return unique_of_sorted(buffer, n, out);
    }
  }

 private:
  static constexpr std::uint64_t first_bits(std::size_t n) {
    return n >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << n) - 1;
  }

  template <int R>
  static std::size_t unique_in_registers(T const* in, std::size_t n, T* out) {
    typename network::registers v;
    UPSWEEP_UNROLL_ALL
    for (int r = 0; r < R; ++r) v[r] = network::load(in, static_cast<std::size_t>(r) * count, n);
    network::template sort_vectors<R>(v);
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
