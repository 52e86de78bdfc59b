// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/sequence.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// Zeros everywhere.
template <class Out>
struct clear_kernel {
  Out out;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    out.store(static_cast<std::size_t>(i), typename Out::value_type(0));
  }
};

/// Writes the number of every row that has items to the place of its first item, where no other row can write; a thread
/// an offset, which it judges, too.
template <class Offsets, class Rows>
struct row_starts_kernel {
  Offsets offsets;
  Rows rows;
  std::size_t count;  ///< of rows
  std::size_t n;      ///< items
  internal::error_word errors;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const r = static_cast<std::size_t>(k);
    if (!judge(r)) return;
    std::uint64_t const start = at(r);
    if (r < count && start < n && start < at(r + 1)) rows.store(start, static_cast<typename Rows::value_type>(r));
  }

  /// Whether an offset is right; reports it if not.
  KOKKOS_FUNCTION bool judge(std::size_t r) const {
    std::uint64_t const start = at(r);  // a negative one is larger than any extent
    bool const falls = r > 0 && start < at(r - 1);
    bool const is_right = !falls && start <= n && (r != 0 || start == 0) && (r != count || start == n);
    if (!is_right) errors.report(r, internal::data_error::bad_row_offset);
    return is_right;
  }
  /// Whether offsets begin ... end - 1 are, without a branch for each.
  bool are_right(std::size_t begin, std::size_t end) const {
    if (begin == end) return true;
    bool right = (begin != 0 || at(0) == 0) && (end <= count || at(count) == n) && at(end - 1) <= n;
    for (std::size_t r = std::max<std::size_t>(begin, 1); r < end; ++r) right &= at(r - 1) <= at(r);
    return right;
  }

 private:
  KOKKOS_FUNCTION std::uint64_t at(std::size_t r) const { return static_cast<std::uint64_t>(offsets.load(r)); }
};

}  // namespace upsweep::pack::detail
