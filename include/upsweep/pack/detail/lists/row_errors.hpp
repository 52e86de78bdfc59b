// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/emitter.hpp>
#include <upsweep/pack/detail/lists/pack_memory.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// Codes of a row that emitted another number of records in the second pass, that is not in the order of visits, is in
/// it more than once, or has more records than the row bound; user codes end just below.
inline constexpr std::uint16_t count_mismatch_code = emitter<int>::largest_code + 1,
                               not_visited_code = count_mismatch_code + 1, visited_again_code = count_mismatch_code + 2,
                               too_long_code = count_mismatch_code + 3;

/// A row whose counts differ is reported with its index and this: behind all rows that failed.
inline constexpr std::size_t behind_failures = std::size_t(1) << 47;

/// Reports a row with so many records that failed with a code, or else is longer than the caller's bound; returns
/// whether it did.
KOKKOS_FORCEINLINE_FUNCTION bool report_row(internal::error_word const& errors, std::int64_t row, std::uint16_t code,
                                            std::size_t records, std::size_t bound) {
  if (code == 0 && records <= bound) return false;
  errors.report(static_cast<std::size_t>(row), code != 0 ? code : too_long_code);
  return true;
}

/// Throws what a row reported, if one did. row_bound: that of the kernels.
void throw_row_error(std::uint64_t found, char const* function, std::size_t row_bound = no_bound);

/// Throws what is wrong with rows that were counted and emitted without a look at the counts: rows that failed, or are
/// longer than their bound, come before a total that there is no room for, and that before counts that differ.
void throw_packing_error(std::uint64_t found, std::size_t total, std::size_t room, char const* what_has_room,
                         packing_bounds const& bounds, char const* function);

/// Throws what the rows of a pass reported. Waits for the instance.
template <class ExecutionSpace>
void check_rows(ExecutionSpace const& space, workspace& memory, char const* function) {
  throw_row_error(internal::access::take_error(memory, space), function);
}

}  // namespace upsweep::pack::detail
