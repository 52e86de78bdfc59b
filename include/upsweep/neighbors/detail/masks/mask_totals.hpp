// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// What the host needs to know of the counting pass, in memory that both can reach.
struct mask_totals {
  std::uint64_t pairs, largest_row, words, groups;
  std::uint64_t bad;  ///< cell_grid::noted_bad()
};

/// Where that is on the device, and the room for it. Null pointers: nothing is asked.
struct mask_findings {
  std::size_t const* pairs = nullptr;
  std::uint64_t const *largest_row = nullptr, *words = nullptr, *group_count = nullptr, *bad = nullptr;
  std::size_t room_for_pairs = 0, room_for_words = 0;
  mask_totals* out = nullptr;

  KOKKOS_FUNCTION bool given() const { return pairs != nullptr; }
  KOKKOS_FUNCTION bool fit() const { return *bad == 0 && *pairs <= room_for_pairs && *words <= room_for_words; }
  /// One thread: totals to the host.
  KOKKOS_FUNCTION void operator()(std::int64_t) const {
    *out = {*pairs, *largest_row, *words, *group_count >> 32, *bad};
  }
};

}  // namespace upsweep::neighbors::detail
