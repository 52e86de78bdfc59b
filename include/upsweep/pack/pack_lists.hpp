// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/pack/detail/lists/fused_pack.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>
#include <upsweep/pack/detail/lists/pack_memory.hpp>
#include <upsweep/pack/detail/lists/two_pass.hpp>
#include <upsweep/pack/emitter.hpp>
#include <upsweep/pack/lists.hpp>
#include <upsweep/pack/pack_options.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace upsweep {

namespace pack::detail {

/// What makes the records of a row. Bodies of calls ask, so that one error is enough.
template <class Functor, class T>
concept row_functor = std::is_invocable_v<Functor const&, std::size_t, emitter<T> const&>;

template <class T, class Functor>
std::size_t checked_rows(std::size_t n, char const* function) {
  static_assert(
      row_functor<Functor, T>,
      "upsweep::pack_lists: the functor is called as functor(std::size_t i, upsweep::emitter<T> const& emit).");
  return internal::checked_size(n, function);
}

/// Whether the caller allows so many bytes beside the result.
inline bool is_affordable(pack_options const& options, std::size_t bytes) {
  return !options.memory_budget || bytes <= *options.memory_budget;
}

/// Throws precondition_error for a strategy asked for by name that cannot do what the caller wants.
inline void require_possible(pack_options const& options, char const* function) {
  internal::require(options.strategy != pack_strategy::fused || !options.visit.given(), function,
                    "the strategy fused follows no visit order");
}

/// What pack_strategy::automatic means for a call.
template <class T, class ExecutionSpace, class Functor>
pack_strategy chosen_strategy(pack_options const& options, std::size_t rows, char const* function) {
  if (options.strategy != pack_strategy::automatic) return options.strategy;
  if (has_bound(options) && !options.visit.given() &&
      is_affordable(options, fused_pack<T, ExecutionSpace, Functor>::bytes(options, rows, function)))
    return pack_strategy::fused;
  return pack_strategy::two_pass;
}

/// Whether lists go fused into memory of the caller's. In addition fused takes the tiles' status words,
/// whatever the bound is. CPUs need no bound for it: the caller's memory is one, and what they keep lies on stacks.
template <class T, class ExecutionSpace, class Functor>
bool goes_fused_into(pack_options const& options, std::size_t rows) {
  if (options.strategy != pack_strategy::automatic) return options.strategy == pack_strategy::fused;
  return (has_bound(options) || compat::launches_wait<ExecutionSpace>) && !options.visit.given() &&
         is_affordable(options,
                       internal::access::header_bytes + fused_pack<T, ExecutionSpace, Functor>::memory_bytes(rows));
}

/// Rows of a plan into the caller's memory.
template <class T, class MemorySpace, class ExecutionSpace, class Functor, class Values>
std::size_t emit_into(ExecutionSpace const& space, list_plan<T, MemorySpace> const& plan, std::size_t first_row,
                      std::size_t last_row, Values const& values, Functor const& functor, plan_options const& options,
                      char const* function) {
  constexpr bool takes_records = std::is_same_v<typename Values::value_type, T> && compat::is_contiguous_rank1<Values>;
  static_assert(takes_records, "upsweep::emit_lists_into: values is a contiguous View of the plan's record type.");
  static_assert(
      row_functor<Functor, T>,
      "upsweep::emit_lists_into: the functor is called as functor(std::size_t i, upsweep::emitter<T> const& emit).");
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Values::memory_space>::accessible,
                "upsweep::emit_lists_into: values cannot be written by kernels of this execution space.");
  internal::require(first_row <= last_row && last_row <= plan.rows, function, [&] {
    return "rows " + std::to_string(first_row) + " to " + std::to_string(last_row) + " of a plan of " +
           std::to_string(plan.rows);
  });
  if (first_row == last_row) return 0;
  std::size_t const begin =
      first_row == 0 ? 0 : internal::fetch_one(space, plan.offsets.data() + first_row, "pack_lists");
  std::size_t const end =
      last_row == plan.rows ? plan.total : internal::fetch_one(space, plan.offsets.data() + last_row, "pack_lists");
  internal::require(values.extent(0) >= end - begin, function, [&] {
    return "values has room for " + std::to_string(values.extent(0)) + " records, the plan for " +
           std::to_string(end - begin);
  });
  if constexpr (takes_records && row_functor<Functor, T>)
    emit_call(space, plan, first_row, last_row, begin, functor, values.data(), options, function);
  return end - begin;
}

}  // namespace pack::detail

/// Counts the records of every row and turns the counts into offsets; the memory for the records is not taken yet:
/// `auto plan = count_lists<int>(space, n, functor); if (plan.bytes() < most) auto l = emit_lists(space,
/// plan, functor);`
///
/// Pre: functor(std::size_t i, emitter<T> const& emit) is pure (it is called more than once for an i) and does not
///   throw (on OpenMP that ends the program): a row that cannot be made calls emit.fail(code).
/// Cost: one call of the functor per row, one scan and one reduction of n + 1 offsets.
/// Order: offsets are exact, the same in each run.
/// Sync: waits for the instance, once.
/// Throws: precondition_error (n < 0, visit naming the row, workspace of another instance), user_failure_error
///   (emit.fail), overflow_error, out_of_memory_error (memory_budget, too).
/// Source: B. Merry, *Prefix sums on GPUs*: the motivating problem.
template <class T, execution_space_argument ExecutionSpace, class Functor>
list_plan<T, typename ExecutionSpace::memory_space> count_lists(ExecutionSpace const& space, std::size_t n,
                                                                Functor const& functor,
                                                                plan_options const& options = {}) {
  static constexpr char const* function = "count_lists";
  list_plan<T, typename ExecutionSpace::memory_space> plan;
  std::size_t const rows = pack::detail::checked_rows<T, Functor>(n, function);
  if constexpr (pack::detail::row_functor<Functor, T>)
    pack::detail::count_call(space, plan, rows, functor, options, function);
  return plan;
}

/// The same into a plan that there is, for lists that are made again and again: its offsets are used again where they
/// have room for n + 1 and nobody else holds them, as a list does that emit_lists made of the plan.
/// Throws: as count_lists; the plan is empty then (except for n < 0).
template <class T, execution_space_argument ExecutionSpace, class Functor>
void count_lists_into(ExecutionSpace const& space, std::size_t n,
                      list_plan<T, typename ExecutionSpace::memory_space>& plan, Functor const& functor,
                      plan_options const& options = {}) {
  static constexpr char const* function = "count_lists_into";
  std::size_t const rows = pack::detail::checked_rows<T, Functor>(n, function);
  if constexpr (pack::detail::row_functor<Functor, T>)
    pack::detail::count_call(space, plan, rows, functor, options, function);
}

/// Emits the rows [first_row, last_row) of a plan into memory of the caller's, and returns how many records they have:
/// values(0) is the first one of first_row. So a list that does not fit is made and consumed in pieces:
/// `for (std::size_t a = 0, b; a < plan.rows && (b = plan.rows_within(space, bytes, a)) > a; a = b)
///   emit_lists_into(space, plan, a, b, ...)`.
///
/// Pre: plan comes from count_lists with the same functor and unchanged data; values, a contiguous View of T, has room.
/// Cost: one call of the functor per row of the range, and reads of two offsets; with options.visit also one read of
///   each entry of it, and one bit of memory per row.
/// Order: a row's records are in the order in which the functor emitted them: the same in each run, however rows are
///   cut.
/// Sync: waits for the instance.
/// Throws: precondition_error (range, room, visit naming the row, workspace of another instance), count_mismatch_error
///   naming the row, user_failure_error, out_of_memory_error (memory_budget: 512 bytes, and one bit per
///   row with visit).
template <class T, class MemorySpace, execution_space_argument ExecutionSpace, class Functor, view_of_rank_1 Values>
std::size_t emit_lists_into(ExecutionSpace const& space, list_plan<T, MemorySpace> const& plan, std::size_t first_row,
                            std::size_t last_row, Values const& values, Functor const& functor,
                            plan_options const& options = {}) {
  return pack::detail::emit_into(space, plan, first_row, last_row, values, functor, options, "emit_lists_into");
}

/// The same for all rows.
template <class T, class MemorySpace, execution_space_argument ExecutionSpace, class Functor, view_of_rank_1 Values>
std::size_t emit_lists_into(ExecutionSpace const& space, list_plan<T, MemorySpace> const& plan, Values const& values,
                            Functor const& functor, plan_options const& options = {}) {
  return pack::detail::emit_into(space, plan, 0, plan.rows, values, functor, options, "emit_lists_into");
}

/// The same into memory of its own, exactly what the plan announced: plan.bytes(), of which the plan holds the offsets
/// already.
/// Throws: out_of_memory_error naming the bytes, too.
template <class T, class MemorySpace, execution_space_argument ExecutionSpace, class Functor>
lists<T, MemorySpace> emit_lists(ExecutionSpace const& space, list_plan<T, MemorySpace> const& plan,
                                 Functor const& functor, plan_options const& options = {}) {
  return pack::detail::emit_all(space, plan, functor, options, "emit_lists");
}

/// Packs the records that every item makes into one list: row i of the result is what functor(i, emit) emitted, in
/// order. With KOKKOS_LAMBDA(std::size_t i, upsweep::emitter<int> const& emit) { for (int k = 0; k < i; ++k) emit(k);
/// } and n = 4, offsets are 0 0 1 3 6 and values 0 0 1 0 1 2.
///
/// Pre: functor is pure (it may be called more than once for an i) and does not throw, as for count_lists.
/// Cost: two_pass: two calls of the functor per row, one scan of n + 1 offsets. fused: one call, a second for rows that
///   do not fit in scratch (on GPUs 128 bytes for one row, or for up to eight short ones, on CPUs 64 KiB a thread);
///   memory for the bound, of which up to an eighth stays behind values, and a copy where more would.
/// Order: rows in order, records as emitted: no result depends on timing, strategy or budget.
/// Sync: waits for the instance.
/// Throws: as count_lists and emit_lists, but count_mismatch_error only where a row is called twice; overflow_error
///   naming the total, or the first row, where it is more than its bound; out_of_memory_error naming the bytes where
///   the budget is too small for the strategy asked for; precondition_error, too, for fused with options.visit or
///   without a bound.
template <class T, execution_space_argument ExecutionSpace, class Functor>
lists<T, typename ExecutionSpace::memory_space> pack_lists(ExecutionSpace const& space, std::size_t n,
                                                           Functor const& functor, pack_options const& options = {}) {
  static constexpr char const* function = "pack_lists";
  std::size_t const rows = pack::detail::checked_rows<T, Functor>(n, function);
  pack::detail::require_possible(options, function);
  if constexpr (pack::detail::row_functor<Functor, T>) {
    auto const strategy = pack::detail::chosen_strategy<T, ExecutionSpace, Functor>(options, rows, function);
    if (strategy == pack_strategy::fused)
      return pack::detail::fused_pack<T, ExecutionSpace, Functor>::pack(space, rows, functor, options, function);
    // Both passes share their temporary memory.
    internal::temporary_memory memory(space, options.workspace);
    plan_options shared = pack::detail::passes_of(options);
    shared.workspace = &memory.get();
    list_plan<T, typename ExecutionSpace::memory_space> plan;
    pack::detail::count_call(space, plan, rows, functor, shared, function, pack::detail::packing_bounds::of(options));
    return pack::detail::emit_all(space, plan, functor, shared, function);
  } else {
    return {};
  }
}

/// The same into memory of the caller's, for lists that are made again and again; returns the number of records.
/// offsets: a View of std::size_t of n + 1 entries; values: a contiguous View of records, with more room than they
/// need, or just as much.
/// `std::size_t const records = pack_lists_into(space, n, offsets, values, functor, {.workspace = &ws});`
///
/// Cost: as fused where options.strategy is fused, or is automatic without a visit order, with a bound (on OpenMP and
///   Serial without one, too), and with a budget that has room for the tiles' status words; else as two_pass. Nothing
///   is copied. With a workspace nothing is allocated.
/// Sync: waits for the instance, once, at its end.
/// Aliasing: offsets and values may overlap neither with each other nor with what functor reads, which is not checked.
/// Throws: as pack_lists, but fused without a bound is allowed; precondition_error, too, for offsets and overlap.
///   overflow_error, too, naming the total where values has no room for it: offsets are right then, and where a bound
///   does not hold, and values has the rows that fit (two passes) or the first records (fused).
/// Everything else as pack_lists.
template <execution_space_argument ExecutionSpace, class Functor, view_of_rank_1 Offsets, view_of_rank_1 Values>
std::size_t pack_lists_into(ExecutionSpace const& space, std::size_t n, Offsets const& offsets, Values const& values,
                            Functor const& functor, pack_options const& options = {}) {
  static constexpr char const* function = "pack_lists_into";
  using T = typename Values::value_type;
  constexpr bool takes_records = !std::is_const_v<T> && compat::is_contiguous_rank1<Values>;
  constexpr bool takes_offsets =
      std::is_same_v<typename Offsets::value_type, std::size_t> && compat::is_contiguous_rank1<Offsets>;
  static_assert(takes_records,
                "upsweep::pack_lists_into: values is a contiguous View of records that can be assigned.");
  static_assert(takes_offsets, "upsweep::pack_lists_into: offsets is a contiguous View of std::size_t.");
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Values::memory_space>::accessible &&
                    Kokkos::SpaceAccessibility<ExecutionSpace, typename Offsets::memory_space>::accessible,
                "upsweep::pack_lists_into: offsets and values cannot be written by kernels of this execution space.");
  std::size_t const rows = pack::detail::checked_rows<T, Functor>(n, function), room = values.extent(0);
  internal::require(offsets.extent(0) == rows + 1, function, [&] {
    return "offsets has " + std::to_string(offsets.extent(0)) + " entries, it needs " + std::to_string(rows + 1);
  });
  internal::require_apart(offsets, values, function, "offsets", "values");
  pack::detail::require_possible(options, function);
  if constexpr (takes_records && takes_offsets && pack::detail::row_functor<Functor, T>) {
    if (pack::detail::goes_fused_into<T, ExecutionSpace, Functor>(options, rows))
      return pack::detail::fused_pack<T, ExecutionSpace, Functor>::pack_into(space, rows, functor, offsets.data(),
                                                                             values.data(), room, options, function);
    return pack::detail::pack_in_two_passes(space, rows, functor, offsets.data(), values.data(), room,
                                            pack::detail::passes_of(options), pack::detail::packing_bounds::of(options),
                                            function);
  } else {
    return 0;
  }
}

UPSWEEP_OF_TYPE_WITHOUT_SPACE(count_lists)
UPSWEEP_OF_TYPE_WITHOUT_SPACE(count_lists_into)
UPSWEEP_WITHOUT_SPACE(emit_lists_into)
UPSWEEP_WITHOUT_SPACE(emit_lists)
UPSWEEP_OF_TYPE_WITHOUT_SPACE(pack_lists)
UPSWEEP_WITHOUT_SPACE(pack_lists_into)

}  // namespace upsweep
