// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/emitter.hpp>
#include <upsweep/pack/pack_options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace upsweep::pack::detail {

/// Codes of a row that emitted another number of records in the second pass, that is not in the order of visits, or is
/// in it more than once; user codes end just below.
inline constexpr std::uint16_t count_mismatch_code = emitter<int>::largest_code + 1,
                               not_visited_code = count_mismatch_code + 1, visited_again_code = count_mismatch_code + 2;

/// A row whose counts differ is reported with its index and this: behind all rows that failed.
inline constexpr std::size_t behind_failures = std::size_t(1) << 47;

/// The rows [first, last), in the order in which a launch visits them.
struct visit_order {
  int const* visit;
  std::int64_t first, last;

  KOKKOS_FUNCTION std::int64_t row(std::int64_t k) const { return visit == nullptr ? first + k : visit[k]; }
  KOKKOS_FUNCTION bool skips(std::int64_t row) const { return row < first || row >= last; }
};

/// First pass, one thread per row: how many records it makes. A 0 follows the counts of all rows, the
/// place of the total.
template <class T, class Functor>
struct count_rows_kernel {
  Functor functor;
  visit_order order;
  std::size_t* counts;
  internal::error_word errors;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    std::int64_t const i = order.row(k);
    if (order.skips(i)) return;
    emitter<T> const emit;
    functor(i, emit);
    counts[i] = emit.count();
    if (i + 1 == order.last) counts[i + 1] = 0;
    if (emit.code() != 0) errors.report(static_cast<std::size_t>(i), emit.code());
  }
};

/// Second pass, one thread per row: its records into its slot. Rows that end behind the room that there is are left
/// out.
template <class T, class Functor>
struct emit_rows_kernel {
  Functor functor;
  visit_order order;
  std::size_t const* offsets;
  std::size_t base;  ///< the offset that values[0] stands for
  T* values;
  std::size_t room;  ///< entries of values
  internal::error_word errors;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    std::int64_t const i = order.row(k);
    if (order.skips(i)) return;
    std::size_t const begin = offsets[i] - base, end = offsets[i + 1] - base, capacity = end - begin;
    if (end > room) return;
    emitter<T> const emit(values + begin, capacity);
    functor(i, emit);
    if (emit.code() != 0) errors.report(static_cast<std::size_t>(i), emit.code());
    else if (emit.count() != capacity)
      errors.report(behind_failures + static_cast<std::size_t>(i), count_mismatch_code);
  }
};

/// Throws what a row reported, if one did.
inline void throw_row_error(std::uint64_t found, char const* function) {
  if (found == 0) return;
  bool const differs = internal::error_word::code(found) == count_mismatch_code;
  auto const row = std::to_string(internal::error_word::index(found) - (differs ? behind_failures : 0));
  switch (internal::error_word::code(found)) {
    case count_mismatch_code:
      throw count_mismatch_error(std::string(function) + ": row " + row +
                                 " emitted a different number of records in the second pass; functors must be pure");
    case not_visited_code: throw precondition_error(std::string(function) + ": row " + row + " is not in visit");
    case visited_again_code:
      throw precondition_error(std::string(function) + ": row " + row + " is in visit more than once");
    default: break;
  }
  throw user_failure_error(std::string(function) + ": row " + row + " failed with code " +
                           std::to_string(internal::error_word::code(found)));
}

/// Throws what is wrong with rows that were counted and emitted without a look at the counts: rows that failed come
/// before a total that there is no room for, and that before counts that differ.
inline void throw_packing_error(std::uint64_t found, std::size_t total, std::size_t room, char const* what_has_room,
                                char const* function) {
  bool const differs = internal::error_word::code(found) == count_mismatch_code;
  if (!differs) throw_row_error(found, function);
  if (total > room)
    throw overflow_error(std::string(function) + ": the rows make " + std::to_string(total) + " records, but " +
                         what_has_room + " " + std::to_string(room));
  throw_row_error(found, function);
}

/// Throws what the rows of a pass reported. Waits for the instance.
template <class ExecutionSpace>
void check_rows(ExecutionSpace const& space, workspace& memory, char const* function) {
  throw_row_error(memory.take_error(space), function);
}

/// Runs a kernel with a visit_order: over its rows, or over the visits that the caller gave.
template <class ExecutionSpace, class Kernel>
void for_visits(ExecutionSpace const& space, Kernel const& kernel, visit_order const& order, std::string_view phase,
                plan_options const& options) {
  std::int64_t const visits =
      options.visit.given() ? static_cast<std::int64_t>(options.visit.extent(0)) : order.last - order.first;
  internal::for_each_index(
      space, [&] { return internal::label("pack_lists", phase, options.label); }, static_cast<std::size_t>(visits),
      kernel);
}

/// Length of row i, for the longest one.
struct row_length {
  std::size_t const* offsets;
  KOKKOS_FUNCTION std::size_t operator()(std::size_t i) const { return offsets[i + 1] - offsets[i]; }
};

}  // namespace upsweep::pack::detail
