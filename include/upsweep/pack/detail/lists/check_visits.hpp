// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/pack/detail/lists/pack_kernels.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

// An order of visits that misses a row would leave its count uninitialised, and all offsets behind it wrong. Each row
// has one bit, which its visit sets; one thread a visit, then one thread 32 rows. The error word names the first bad
// row, whatever the threads do first, and the pass that follows waits for it anyway.

/// Sets the bits of the rows that are visited; reports those whose bit is set already.
struct mark_visits_kernel {
  visit_order order;
  std::uint32_t* marks;
  internal::error_word errors;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    std::int64_t const i = order.row(k);
    if (order.skips(i)) return;
    auto const at = static_cast<std::size_t>(i - order.first);
    std::uint32_t const bit = std::uint32_t(1) << at % 32;
    if ((Kokkos::atomic_fetch_or(marks + at / 32, bit) & bit) != 0)
      errors.report(static_cast<std::size_t>(i), visited_again_code);
  }
};

/// Reports the first row of a word whose bit is not set.
struct find_missed_kernel {
  visit_order order;
  std::uint32_t const* marks;
  internal::error_word errors;

  KOKKOS_FUNCTION void operator()(std::int64_t w) const {
    for (std::int64_t i = order.first + 32 * w; i < order.last && i < order.first + 32 * (w + 1); ++i) {
      if ((marks[w] >> (i - order.first) % 32 & 1) != 0) continue;
      return errors.report(static_cast<std::size_t>(i), not_visited_code);
    }
  }
};

}  // namespace upsweep::pack::detail
