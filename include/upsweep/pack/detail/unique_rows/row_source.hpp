// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// Rows that lie in memory one behind the other. Their offsets have been checked.
template <class T, class Offset>
struct table_rows {
  static constexpr bool are_stored = true;
  T const* values;
  Offset const* offsets;

  KOKKOS_FUNCTION T const* begin(std::int64_t i) const { return values + offsets[i]; }
  KOKKOS_FUNCTION std::size_t size(std::int64_t i) const {
    return static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
  }
};

/// Rows that a functor emits.
template <class Functor>
struct functor_rows {
  static constexpr bool are_stored = false;
  Functor functor;
};

/// Judges every offset: the first is 0, none is less than the one before, none is beyond the values.
template <class Offset>
struct check_offsets_kernel {
  Offset const* offsets;
  std::uint64_t extent;  ///< of values
  internal::error_word errors;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    std::uint64_t const end = at(k);
    bool const wrong = k == 0 ? end != 0 : end < at(k - 1) || end > extent;
    if (wrong) errors.report(static_cast<std::size_t>(k), internal::data_error::bad_row_offset);
  }

 private:
  /// A negative one is larger than any extent.
  KOKKOS_FUNCTION std::uint64_t at(std::int64_t k) const { return static_cast<std::uint64_t>(offsets[k]); }
};

}  // namespace upsweep::pack::detail
