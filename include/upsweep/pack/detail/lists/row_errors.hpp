// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/emitter.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// Codes of a row that emitted another number of records in the second pass, that is not in the order of visits, or is
/// in it more than once; user codes end just below.
inline constexpr std::uint16_t count_mismatch_code = emitter<int>::largest_code + 1,
                               not_visited_code = count_mismatch_code + 1, visited_again_code = count_mismatch_code + 2;

/// A row whose counts differ is reported with its index and this: behind all rows that failed.
inline constexpr std::size_t behind_failures = std::size_t(1) << 47;

/// Throws what a row reported, if one did.
void throw_row_error(std::uint64_t found, char const* function);

/// Throws what is wrong with rows that were counted and emitted without a look at the counts: rows that failed come
/// before a total that there is no room for, and that before counts that differ.
void throw_packing_error(std::uint64_t found, std::size_t total, std::size_t room, char const* what_has_room,
                         char const* function);

/// Throws what the rows of a pass reported. Waits for the instance.
template <class ExecutionSpace>
void check_rows(ExecutionSpace const& space, workspace& memory, char const* function) {
  throw_row_error(memory.take_error(space), function);
}

}  // namespace upsweep::pack::detail
