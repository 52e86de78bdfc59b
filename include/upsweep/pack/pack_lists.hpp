// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/allocate.hpp>
#include <upsweep/pack/detail/pack_kernels.hpp>
#include <upsweep/pack/emitter.hpp>
#include <upsweep/pack/lists.hpp>
#include <upsweep/scan/exclusive_scan_with_total.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep {

/// Counts the records of every row and turns the counts into offsets; the memory for the records is not taken yet:
/// `auto plan = count_lists<int>(space, n, functor); if (plan.bytes() < budget) auto l = emit_lists(space, plan, functor);`
///
/// Pre: functor(std::int64_t i, emitter<T> const& emit) is pure (it is called more than once for an i).
/// Cost: one call of the functor a row, one scan and one reduction of n + 1 offsets.
/// Order: offsets are exact, the same in each run.
/// Sync: waits for the instance.
/// Throws: precondition_error (n < 0), user_failure_error (emit.fail), overflow_error, out_of_memory_error.
/// Source: B. Merry, *Prefix sums on GPUs*: the motivating problem.
template <class T, class ExecutionSpace, class Functor>
list_plan<T, typename ExecutionSpace::memory_space> count_lists(ExecutionSpace const& space, std::int64_t n,
                                                                Functor const& functor,
                                                                pack_options const& options = {}) {
  using memory_space = typename ExecutionSpace::memory_space;
  static constexpr char const* function = "count_lists";
  static_assert(std::is_invocable_v<Functor const&, std::int64_t, emitter<T> const&>,
                "upsweep::pack_lists: the functor is called as functor(std::int64_t i, upsweep::emitter<T> const& emit).");
  require(n >= 0, function, "n = " + std::to_string(n) + " is negative");
  list_plan<T, memory_space> plan;
  plan.rows = static_cast<std::size_t>(n);
  plan.offsets = allocate<std::size_t, memory_space>(space, plan.rows + 1, function, "offsets");

  temporary_memory<ExecutionSpace> memory(space, options.workspace);
  memory.get().reserve(space, 0);
  auto const counts = plan.offsets.data();
  Kokkos::parallel_for(
      label("pack_lists", "count", options.label), detail::row_policy(space, n, options),
      detail::count_rows_kernel<T, Functor>{functor, {options.visit, n}, counts, memory.get().errors(space)});
  detail::check_rows(space, memory.get(), function);

  using counts_view = Kokkos::View<std::size_t const*, memory_space, Kokkos::MemoryUnmanaged>;
  scan_options const scan{.workspace = &memory.get(), .label = "pack_lists"};
  std::uint64_t total = 0;
  exclusive_scan_with_total(space, counts_view(counts, plan.rows), plan.offsets, total, scan);
  plan.total = total;
  plan.largest_row = reduce(space, plan.rows, detail::row_length{counts}, max<>{}, scan);
  return plan;
}

/// Fills memory of the caller's as a plan announced: the records of row i go to values(offsets(i)) and on.
///
/// Pre: plan comes from count_lists with the same functor and unchanged data; values has at least plan.total entries.
/// Cost: one call of the functor a row.
/// Order: a row's records stand in the order in which the functor emitted them: the same in each run.
/// Sync: waits for the instance.
/// Throws: count_mismatch_error naming the row, user_failure_error, precondition_error.
template <class T, class MemorySpace, class ExecutionSpace, class Functor>
void emit_lists_into(ExecutionSpace const& space, list_plan<T, MemorySpace> const& plan, Functor const& functor,
                     Kokkos::View<T*, MemorySpace> const& values, pack_options const& options = {}) {
  static constexpr char const* function = "emit_lists";
  require(values.extent(0) >= plan.total, function,
          "values has room for " + std::to_string(values.extent(0)) + " records, the plan for " + std::to_string(plan.total));
  temporary_memory<ExecutionSpace> memory(space, options.workspace);
  memory.get().reserve(space, 0);
  auto const n = static_cast<std::int64_t>(plan.rows);
  Kokkos::parallel_for(label("pack_lists", "emit", options.label), detail::row_policy(space, n, options),
                       detail::emit_rows_kernel<T, Functor>{functor, {options.visit, n}, plan.offsets.data(), values.data(),
                                                            memory.get().errors(space)});
  detail::check_rows(space, memory.get(), function);
}

/// The same into exactly the memory that the plan announced: plan.bytes(), of which the plan holds the offsets already.
/// Throws: out_of_memory_error naming the bytes, too.
template <class T, class MemorySpace, class ExecutionSpace, class Functor>
lists<T, MemorySpace> emit_lists(ExecutionSpace const& space, list_plan<T, MemorySpace> const& plan, Functor const& functor,
                                 pack_options const& options = {}) {
  lists<T, MemorySpace> result{plan.offsets, allocate<T, MemorySpace>(space, plan.total, "emit_lists", "values")};
  emit_lists_into(space, plan, functor, result.values, options);
  return result;
}

/// Packs the records that every item makes into one list: row i of the result is what functor(i, emit) emitted, in order.
/// With KOKKOS_LAMBDA(std::int64_t i, upsweep::emitter<int> const& emit) { for (int k = 0; k < i; ++k) emit(k); } and
/// n = 4, offsets are 0 0 1 3 6 and values 0 0 1 0 1 2.
///
/// Pre, Throws: as count_lists and emit_lists.
/// Cost: two calls of the functor a row, one scan of n + 1 offsets; memory 8 (n + 1) + sizeof(T) a record.
/// Order: rows in order, records as emitted: no result depends on timing.
/// Sync: waits for the instance.
template <class T, class ExecutionSpace, class Functor>
lists<T, typename ExecutionSpace::memory_space> pack_lists(ExecutionSpace const& space, std::int64_t n,
                                                           Functor const& functor, pack_options const& options = {}) {
  return emit_lists(space, count_lists<T>(space, n, functor, options), functor, options);
}

}  // namespace upsweep
