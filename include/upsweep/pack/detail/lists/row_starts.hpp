// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/sequence.hpp>

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
    std::uint64_t const start = at(r);  // a negative one is larger than any extent
    bool const falls = r > 0 && start < at(r - 1);
    if (falls || start > n || (r == 0 && start != 0) || (r == count && start != n))
      return errors.report(r, internal::data_error::bad_row_offset);
    if (r < count && start < n && start < at(r + 1)) rows.store(start, static_cast<typename Rows::value_type>(r));
  }

 private:
  KOKKOS_FUNCTION std::uint64_t at(std::size_t r) const { return static_cast<std::uint64_t>(offsets.load(r)); }
};

}  // namespace upsweep::pack::detail
