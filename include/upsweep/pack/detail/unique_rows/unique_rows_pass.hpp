// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/pack/detail/lists/pack_kernels.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

// Rows that are sorted, and hold each value once. Short rows are sorted twice, where threads have room for them: the
// first time their values are counted, the second time they are stored where a scan of the counts says. So no memory is
// taken but the result's. Long rows are sorted once, in memory of their own (long_rows.hpp).

/// A long row has this for a count, and the number of its values added.
inline constexpr std::size_t long_row_mark = std::size_t(1) << 63;

/// What both passes over short rows share.
template <class T>
struct unique_rows_pass {
  std::int64_t rows;
  std::size_t* offsets;           ///< rows + 1; the first pass leaves counts, and a 0 behind them
  T* values;                      ///< null in the first pass
  std::uint64_t* long_row_count;  ///< that the first pass has found
  std::int64_t const* long_rows;  ///< that the second pass leaves out, ascending
  std::int64_t known_long_rows;
  internal::error_word errors;

  KOKKOS_FUNCTION bool emits() const { return values != nullptr; }
  KOKKOS_FUNCTION T* slot(std::int64_t i) const { return values + offsets[i]; }
  KOKKOS_FUNCTION std::size_t capacity(std::int64_t i) const { return offsets[i + 1] - offsets[i]; }

  /// In the second pass.
  KOKKOS_FUNCTION bool is_left_out(std::int64_t i) const {
    std::int64_t first = 0, last = known_long_rows;
    while (first < last) {
      std::int64_t const middle = first + (last - first) / 2;
      if (long_rows[middle] < i) first = middle + 1;
      else last = middle;
    }
    return first < known_long_rows && long_rows[first] == i;
  }

  /// A short row has `found` different values.
  KOKKOS_FUNCTION void finish(std::int64_t i, std::size_t found) const {
    if (!emits()) store_count(i, found);
    else if (found != capacity(i)) report_mismatch(i);
  }
  /// A row has too many values to be sorted here.
  KOKKOS_FUNCTION void finish_long(std::int64_t i, std::size_t size) const {
    if (emits()) return report_mismatch(i);
    store_count(i, long_row_mark | size);
    Kokkos::atomic_inc(long_row_count);
  }
  KOKKOS_FUNCTION void report_code(std::int64_t i, std::uint16_t code) const {
    if (code != 0) errors.report(static_cast<std::size_t>(i), code);
  }

 private:
  KOKKOS_FUNCTION void store_count(std::int64_t i, std::size_t count) const {
    offsets[i] = count;
    if (i + 1 == rows) offsets[rows] = 0;
  }
  KOKKOS_FUNCTION void report_mismatch(std::int64_t i) const {
    errors.report(behind_failures + static_cast<std::size_t>(i), count_mismatch_code);
  }
};

}  // namespace upsweep::pack::detail
