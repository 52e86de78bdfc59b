// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::detail {

/// The canonical form of a View of rank 2, of any layout: a pointer and two strides, in elements.
template <class T>
struct matrix_sequence {
  using value_type = std::remove_const_t<T>;
  T* data;
  std::ptrdiff_t row_stride, column_stride;

  KOKKOS_FUNCTION T& at(std::size_t row, std::size_t column) const {
    return data[static_cast<std::ptrdiff_t>(row) * row_stride + static_cast<std::ptrdiff_t>(column) * column_stride];
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
  KOKKOS_FUNCTION value_type load(std::size_t i) const { return matrix.at(row, i); }
  KOKKOS_FUNCTION void store(std::size_t i, value_type const& value) const { matrix.at(row, i) = value; }
};

/// Where element i of a matrix lies when its rows of `length` elements follow each other.
struct row_and_column {
  std::size_t row, column;
  KOKKOS_FUNCTION static row_and_column of(std::size_t i, std::size_t length) {
    // GPUs divide 64 bits by a subroutine several times as long as that for 32.
    if (((i | length) >> 32) == 0) {
      auto const row = static_cast<std::uint32_t>(i) / static_cast<std::uint32_t>(length);
      return {row, i - row * length};
    }
    return {i / length, i % length};
  }
};

/// All rows of a matrix, one behind the other.
template <class T>
struct rows_sequence {
  using value_type = std::remove_const_t<T>;
  matrix_sequence<T> matrix;
  std::size_t length;
  KOKKOS_FUNCTION value_type load(std::size_t i) const {
    auto const at = row_and_column::of(i, length);
    return matrix.at(at.row, at.column);
  }
  KOKKOS_FUNCTION void store(std::size_t i, value_type const& value) const {
    auto const at = row_and_column::of(i, length);
    matrix.at(at.row, at.column) = value;
  }
};

/// Heads of the segments that rows are in there.
struct row_heads {
  std::size_t length;
  KOKKOS_FUNCTION bool at(std::size_t i) const { return row_and_column::of(i, length).column == 0; }
};

}  // namespace upsweep::detail
