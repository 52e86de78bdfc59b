// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/access_count.hpp>
#include <upsweep/scan/detail/segmented_sequences.hpp>

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

  KOKKOS_FUNCTION value_type load(std::size_t row, std::size_t column) const {
    count_load();
    return data[offset(row, column)];
  }
  KOKKOS_FUNCTION void store(std::size_t row, std::size_t column, value_type const& value) const {
    count_store();
    data[offset(row, column)] = value;
  }

 private:
  KOKKOS_FUNCTION std::ptrdiff_t offset(std::size_t row, std::size_t column) const {
    return static_cast<std::ptrdiff_t>(row) * row_stride + static_cast<std::ptrdiff_t>(column) * column_stride;
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

/// Finds element i of rows of `length` elements that follow each other, by a multiplication: an integer division for each
/// load costs more than the scan. The product is off by one at most below 2^52, and corrected.
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

/// All rows of a matrix, one behind the other, each a segment: what segmented_sequences.hpp does for vectors.
template <class T>
struct rows_input {
  using value_type = segmented_state<std::remove_const_t<T>>;
  matrix_sequence<T> matrix;
  row_finder rows;
  KOKKOS_FUNCTION value_type load(std::size_t i) const {
    std::size_t row, column;
    rows.find(i, row, column);
    return {matrix.load(row, column), column == 0};
  }
};

template <bool Inclusive, class T, class Monoid>
struct rows_output {
  using value_type = segmented_state<typename Monoid::value_type>;
  matrix_sequence<T> matrix;
  row_finder rows;
  Monoid monoid;
  KOKKOS_FUNCTION void store(std::size_t i, value_type const& state) const {
    std::size_t row, column;
    rows.find(i, row, column);
    matrix.store(row, column, lower<T>(monoid, Inclusive || column != 0 ? state.value : monoid.identity()));
  }
};

}  // namespace upsweep::detail
