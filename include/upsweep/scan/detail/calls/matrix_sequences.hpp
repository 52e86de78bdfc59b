// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/scan/detail/segments/head_stripes.hpp>
#include <upsweep/scan/detail/segments/staged_heads.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// The canonical form of a View of rank 2, of any layout: a pointer and two strides, in elements.
template <class T>
struct matrix_sequence {
  using value_type = std::remove_const_t<T>;
  T* data;
  std::ptrdiff_t row_stride, column_stride;

  KOKKOS_FUNCTION value_type load(std::size_t row, std::size_t column) const { return columns(row).load(column); }
  KOKKOS_FUNCTION void store(std::size_t row, std::size_t column, value_type const& value) const {
    columns(row).store(column, value);
  }

  /// Whether element (row, column) lies at row * length + column.
  bool has_rows_side_by_side(std::size_t rows, std::size_t length) const {
    return (length == 1 || column_stride == 1) && (rows == 1 || row_stride == static_cast<std::ptrdiff_t>(length));
  }

 private:
  KOKKOS_FUNCTION internal::strided_sequence<T> columns(std::size_t row) const {
    return {data + static_cast<std::ptrdiff_t>(row) * row_stride, column_stride};
  }
};

template <class V>
matrix_sequence<typename V::value_type> make_matrix_sequence(V const& view) {
  return {view.data(), compat::stride(view, 0), compat::stride(view, 1)};
}

/// One row of a matrix.
template <class T>
struct row_sequence {
  using value_type = std::remove_const_t<T>;
  matrix_sequence<T> matrix;
  std::size_t row;
  KOKKOS_FUNCTION value_type load(std::size_t i) const { return matrix.load(row, i); }
  KOKKOS_FUNCTION void store(std::size_t i, value_type const& value) const { matrix.store(row, i, value); }
};

/// Finds element i of rows of `length` elements that follow each other, by a multiplication: an integer division for
/// each load costs more than the scan. The product is off by one at most below 2^52, and corrected.
class row_finder {
 public:
  std::size_t length;

  explicit row_finder(std::size_t of_length) : length(of_length), reciprocal_(1.0 / static_cast<double>(of_length)) {}

  KOKKOS_FUNCTION void find(std::size_t i, std::size_t& row, std::size_t& column) const {
    if (i >> 52 != 0) {
      row = i / length;
      column = i % length;
      return;
    }
    auto const count = static_cast<std::int64_t>(length);
    auto quotient = static_cast<std::int64_t>(static_cast<double>(static_cast<std::int64_t>(i)) * reciprocal_);
    auto rest = static_cast<std::int64_t>(i) - quotient * count;
    if (rest < 0) {
      rest += count;
      --quotient;
    } else if (rest >= count) {
      rest -= count;
      ++quotient;
    }
    row = static_cast<std::size_t>(quotient);
    column = static_cast<std::size_t>(rest);
  }

 private:
  double reciprocal_;
};

/// The elements of a matrix row by row.
template <class T>
struct matrix_elements {
  using value_type = std::remove_const_t<T>;
  matrix_sequence<T> matrix;
  row_finder rows;
  KOKKOS_FUNCTION value_type load(std::size_t i) const {
    std::size_t row, column;
    rows.find(i, row, column);
    return matrix.load(row, column);
  }
  KOKKOS_FUNCTION void store(std::size_t i, value_type const& value) const {
    std::size_t row, column;
    rows.find(i, row, column);
    matrix.store(row, column, value);
  }
};

/// Heads where rows begin: every row is a segment.
struct row_heads {
  row_finder rows;
  KOKKOS_FUNCTION bool starts(std::size_t i) const { return column(i) == 0; }
  KOKKOS_FUNCTION bool at(std::size_t i) const { return starts(i); }
  KOKKOS_FUNCTION std::size_t column(std::size_t i) const {
    std::size_t row, column;
    rows.find(i, row, column);
    return column;
  }
  /// Of `count` elements from element `first` on one bit each: whether a row begins there.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bits(std::size_t first, int count) const {
    std::size_t const before = column(first);
    std::uint32_t found = 0;
    for (std::size_t head = before == 0 ? 0 : rows.length - before; head < static_cast<std::size_t>(count);
         head += rows.length)
      found |= 1u << head;
    return found;
  }
};

/// Rows are counted, once for each access of a lane, and not looked up.
template <int PerRound, int Rounds, class Lanes>
struct head_stripes<row_heads, PerRound, Rounds, Lanes> {
  static bool goes_by_chunks(row_heads const&) { return true; }
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION void load(row_heads const&, std::size_t, int, int) {}
  template <bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bits(row_heads const& heads, std::size_t first, int length, int r,
                                                 int lane) const {
    int const begin = (r * Lanes::size + lane) * PerRound,
              there = Whole ? PerRound : Kokkos::min(int(PerRound), length - begin);
    return there <= 0 ? 0 : heads.bits(first + static_cast<std::size_t>(begin), there);
  }
};

/// The pipelined engine counts rows, too: nothing of them is in a stage.
template <>
struct staged_heads<row_heads> {
  static constexpr bool possible = true;
  static constexpr int bits_per_element = 0, lead = 0;
};

}  // namespace upsweep::scan::detail
