// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/instruction_set.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

// One row on one thread of a CPU: sorted, and each value once. Compiled in src/pack for AVX2, AVX-512, and vectors of
// 16 bytes.

/// Buffers of rows have room for a multiple of so many elements.
inline constexpr std::size_t row_padding = 128;
constexpr std::size_t padded_row(std::size_t n) { return (n + row_padding - 1) / row_padding * row_padding; }

template <class T>
struct row_kernels {
  /// The n elements of `in` in ascending order and each once to `out`, if that is not null; returns how many. `buffer`
  /// has room for padded_row(n). It may be `in`, and out may be either; nothing else is written.
  std::size_t (*unique)(T const* in, std::size_t n, T* buffer, T* out);
};

/// The type with kernels that has the same bits and order.
template <class T>
using row_word = std::conditional_t<std::is_signed_v<T>, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>,
                                    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

/// Null in builds without compiled kernels. T: a row_word.
template <class T>
row_kernels<T> const* row_kernels_for(internal::instruction_set) noexcept UPSWEEP_NULL_WITHOUT_CPU_KERNELS

    /// The same without vectors.
    template <class T>
    std::size_t unique_row_plain(T const* in, std::size_t n, T* buffer, T* out) {
  if (n == 0) return 0;
  if (in != buffer) std::copy_n(in, n, buffer);
  std::sort(buffer, buffer + n);
  std::size_t found = 0;
  T before = buffer[0];
  for (std::size_t k = 0; k < n; ++k) {
    T const value = buffer[k];
    if (k > 0 && value == before) continue;
    if (out != nullptr) out[found] = value;
    ++found;
    before = value;
  }
  return found;
}

/// What suits this processor.
template <class T>
class row_sorter {
 public:
  row_sorter() {
    if constexpr (has_kernels) kernels_ = row_kernels_for<row_word<T>>(internal::widest_instruction_set());
  }
  std::size_t unique(T const* in, std::size_t n, T* buffer, T* out) const {
    if constexpr (has_kernels)
      if (kernels_ != nullptr)
        return kernels_->unique(reinterpret_cast<row_word<T> const*>(in), n, reinterpret_cast<row_word<T>*>(buffer),
                                reinterpret_cast<row_word<T>*>(out));
    return unique_row_plain(in, n, buffer, out);
  }

 private:
  static constexpr bool has_kernels = sizeof(T) == 4 || sizeof(T) == 8;
  row_kernels<row_word<T>> const* kernels_ = nullptr;
};

}  // namespace upsweep::pack::detail
