// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/require_reachable.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/pack/detail/lists/compiled_packing.hpp>
#include <upsweep/pack/detail/lists/pack_kernels.hpp>
#include <upsweep/pack/detail/lists/pack_memory.hpp>
#include <upsweep/pack/detail/lists/row_errors.hpp>
#include <upsweep/pack/detail/lists/visit_order.hpp>
#include <upsweep/pack/lists.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace upsweep::pack::detail {

// Counting rows, turning the counts into offsets in their place, emitting. The host waits only where it needs a number:
// the error word and the totals lie side by side in the workspace, and come in one copy.

/// Bytes of a workspace that counting takes at its front: for the marks of visits, then for the scan.
template <class ExecutionSpace>
std::size_t counting_bytes(plan_options const& options, std::size_t rows) {
  return std::max(compiled_packing<ExecutionSpace>::scan_bytes(options, rows), visit_marks_bytes(options, rows));
}

/// First pass, before scan_offsets(). Asynchronous: errors are for take_error(). Pre: rows > 0; the workspace has room
/// for counting_bytes().
template <class T, class ExecutionSpace, class Functor>
void count_rows(ExecutionSpace const& space, std::size_t rows, Functor const& functor, std::size_t* counts,
                plan_options const& options, workspace& memory, internal::error_word const& errors,
                std::size_t row_bound) {
  std::byte* const marks = internal::access::reserve(memory, space, counting_bytes<ExecutionSpace>(options, rows));
  visit_order const order{options.visit.data(), 0, static_cast<std::int64_t>(rows)};
  compiled_packing<ExecutionSpace>::check_visits(space, marks, order, options, errors);
  for_visits(space, count_rows_kernel<T, Functor>{functor, order, counts, errors, row_bound}, order, "count", options);
}

/// Counts into a plan, whose offsets are used again where they are long enough and the plan's alone. If it throws,
/// the plan is empty.
template <class T, class ExecutionSpace, class Functor>
void count_call(ExecutionSpace const& space, list_plan<T, typename ExecutionSpace::memory_space>& plan,
                std::size_t rows, Functor const& functor, plan_options const& options, char const* function,
                packing_bounds const& bounds = {}) {
  auto offsets = std::exchange(plan, {}).offsets;
  internal::require_reachable<ExecutionSpace>(options.visit, function, "visit");
  using steps = compiled_packing<ExecutionSpace>;
  workspace_bytes const largest = steps::longest_row_bytes(space, rows);
  std::size_t const temporary = std::max(counting_bytes<ExecutionSpace>(options, rows), largest.reserved);
  require_budget(options.memory_budget, internal::access::header_bytes + temporary + largest.region, function,
                 "counting");
  steps::take_offsets(space, offsets, rows + 1, function);
  internal::temporary_memory memory(space, options.workspace);
  workspace& m = memory.get();
  internal::access::reserve(m, space, temporary);  // all of it: growing would move what is behind
  std::uint64_t totals[2] = {};
  if (rows == 0) {
    steps::set_offsets_of_no_rows(space, offsets.data());
    space.fence(internal::label("pack_lists", "fence"));
  } else {
    auto* const slot = reinterpret_cast<std::size_t*>(internal::access::result_slot(m, space));
    count_rows<T>(space, rows, functor, offsets.data(), options, m, internal::access::errors(m, space), bounds.row);
    steps::scan_offsets(space, offsets.data(), rows, slot, options, m);
    steps::find_longest_row(space, offsets.data(), rows, slot + 1, options, m);
    throw_row_error(internal::access::take_error(m, space, totals, 2), function, bounds.row);
    steps::require_countable(space, offsets.data(), rows, totals[0], function);
    require_total(totals[0], bounds.total, upper_bound_is, function);
  }
  plan = {rows, totals[0], totals[1], offsets};
}

/// Second pass for the rows [first, last), whose records begin at offset `base`.
template <class T, class MemorySpace, class ExecutionSpace, class Functor>
void emit_call(ExecutionSpace const& space, list_plan<T, MemorySpace> const& plan, std::size_t first, std::size_t last,
               std::size_t base, Functor const& functor, T* values, plan_options const& options, char const* function) {
  internal::require_reachable<ExecutionSpace>(options.visit, function, "visit");
  std::size_t const marks_bytes = visit_marks_bytes(options, last - first);
  require_budget(options.memory_budget, internal::access::header_bytes + marks_bytes, function, "emission");
  internal::temporary_memory memory(space, options.workspace);
  std::byte* const marks = internal::access::reserve(memory.get(), space, marks_bytes);
  visit_order const order{options.visit.data(), static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)};
  internal::error_word const errors = internal::access::errors(memory.get(), space);
  compiled_packing<ExecutionSpace>::check_visits(space, marks, order, options, errors);
  constexpr auto enough = std::numeric_limits<std::size_t>::max();
  emit_rows_kernel<T, Functor> const kernel{functor, order, plan.offsets.data(), base, values, enough, errors};
  for_visits(space, kernel, order, "emit", options);
  check_rows(space, memory.get(), function);
}

template <class T, class MemorySpace, class ExecutionSpace, class Functor>
lists<T, MemorySpace> emit_all(ExecutionSpace const& space, list_plan<T, MemorySpace> const& plan,
                               Functor const& functor, plan_options const& options, char const* function) {
  // A plan that was made again may have room for more rows.
  std::size_t const entries = std::min(plan.offsets.extent(0), plan.rows + 1);
  lists<T, MemorySpace> result{Kokkos::subview(plan.offsets, Kokkos::make_pair(std::size_t(0), entries)),
                               internal::allocate<T, MemorySpace>(space, plan.total, function, "values")};
  emit_call(space, plan, 0, plan.rows, 0, functor, result.values.data(), options, function);
  return result;
}

/// Both passes into memory that is there, of `room` records; returns the total.
template <class T, class ExecutionSpace, class Functor>
std::size_t pack_in_two_passes(ExecutionSpace const& space, std::size_t rows, Functor const& functor,
                               std::size_t* offsets, T* values, std::size_t room, plan_options const& options,
                               packing_bounds const& bounds, char const* function) {
  using steps = compiled_packing<ExecutionSpace>;
  internal::require_reachable<ExecutionSpace>(options.visit, function, "visit");
  std::size_t const temporary = counting_bytes<ExecutionSpace>(options, rows);
  require_budget(options.memory_budget, internal::access::header_bytes + temporary, function, "counting");
  internal::temporary_memory memory(space, options.workspace);
  workspace& m = memory.get();
  internal::access::reserve(m, space, temporary);
  if (rows == 0) {
    steps::set_offsets_of_no_rows(space, offsets);
    space.fence(internal::label("pack_lists", "fence"));
    return 0;
  }
  auto* const total = reinterpret_cast<std::size_t*>(internal::access::result_slot(m, space));
  internal::error_word const errors = internal::access::errors(m, space);
  count_rows<T>(space, rows, functor, offsets, options, m, errors, bounds.row);
  steps::scan_offsets(space, offsets, rows, total, options, m);
  visit_order const order{options.visit.data(), 0, static_cast<std::int64_t>(rows)};
  for_visits(space, emit_rows_kernel<T, Functor>{functor, order, offsets, 0, values, room, errors}, order, "emit",
             options);
  std::uint64_t found = 0;
  std::uint64_t const error = internal::access::take_error(m, space, &found, 1);
  if (error == 0 || internal::error_word::code(error) == count_mismatch_code)
    steps::require_countable(space, offsets, rows, found, function);
  throw_packing_error(error, found, room, "values has room for", bounds, function);
  return found;
}

}  // namespace upsweep::pack::detail
