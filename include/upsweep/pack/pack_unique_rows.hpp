// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/pack/detail/unique_rows/unique_rows_call.hpp>
#include <upsweep/pack/lists.hpp>
#include <upsweep/pack/pack_lists.hpp>
#include <upsweep/pack/pack_options.hpp>
#include <upsweep/pack/sort_and_unique_rows.hpp>

#include <cstddef>
#include <string>

namespace upsweep {

/// What pack_lists would give, its rows sorted in ascending order, each value once; the rows with repetitions are never
/// in memory together: `auto graph = pack_unique_rows<int>(space, nodes, neighbors_of_node);` with a functor that emits
/// the nodes of a node's elements, one element after the other.
///
/// Pre: functor(std::size_t i, emitter<T> const& emit) is pure (it is called twice for an i) and does not throw, as
///   for pack_lists; T is an integer type of up to 64 bits.
/// Cost: two calls of the functor a row, each sorted on the way, with room for 16 KiB of records on CPUs and 512 bytes
///   on GPUs. Rows with more are sorted in memory as long as they are, which is allocated in each call. Everything else
///   as sort_and_unique_rows.
/// Order: the result is one, on every backend, number of threads and run, if the records are, in any order.
/// Sync: waits for the instance.
/// Throws: precondition_error (n < 0, workspace of another instance), user_failure_error (emit.fail),
///   count_mismatch_error naming the row, out_of_memory_error (memory_budget, too).
/// Source: as sort_and_unique_rows.
template <class T, execution_space_argument ExecutionSpace, class Functor>
lists<T, typename ExecutionSpace::memory_space> pack_unique_rows(ExecutionSpace const& space, std::size_t n,
                                                                 Functor const& functor,
                                                                 unique_rows_options const& options = {}) {
  static constexpr char const* function = "pack_unique_rows";
  static_assert(pack::detail::is_row_value<T>,
                "upsweep::pack_unique_rows: what is sorted is an integer of up to 64 bits.");
  using rows = pack::detail::functor_rows<Functor>;
  std::size_t const count = pack::detail::checked_rows<T, Functor>(n, function);
  if constexpr (pack::detail::row_functor<Functor, T>)
    return pack::detail::unique_rows_call<T, ExecutionSpace, rows>(space, rows{functor}, count, options, function)
        .pack();
  else return {};
}

/// The same into memory of the caller's, for graphs that are made again and again; returns the number of values.
/// offsets: a View of std::size_t of n + 1 entries; values: a contiguous View with room for all values that
/// result, or more.
/// Aliasing: the two may overlap neither with each other nor with what functor reads, which is not checked.
/// Throws: as pack_unique_rows; precondition_error for the extent of offsets and overlap; overflow_error naming the
///   total where values has no room for it: offsets is right then, and nothing is written to values.
template <execution_space_argument ExecutionSpace, class Functor, view_of_rank_1 Offsets, view_of_rank_1 Values>
std::size_t pack_unique_rows_into(ExecutionSpace const& space, std::size_t n, Offsets const& offsets,
                                  Values const& values, Functor const& functor,
                                  unique_rows_options const& options = {}) {
  static constexpr char const* function = "pack_unique_rows_into";
  using T = typename Values::value_type;
  static_assert(pack::detail::is_row_value<T>,
                "upsweep::pack_unique_rows_into: what is sorted is an integer of up to 64 bits.");
  pack::detail::require_row_outputs<ExecutionSpace, T, Offsets, Values>();
  using rows = pack::detail::functor_rows<Functor>;
  std::size_t const count = pack::detail::checked_rows<T, Functor>(n, function);
  internal::require(offsets.extent(0) == count + 1, function, [&] {
    return "offsets has " + std::to_string(offsets.extent(0)) + " entries, it needs " + std::to_string(count + 1);
  });
  internal::require_apart(offsets, values, function, "offsets", "values");
  if constexpr (pack::detail::offsets_output<Offsets> && pack::detail::values_output<Values, T> &&
                pack::detail::row_functor<Functor, T>)
    return pack::detail::unique_rows_call<T, ExecutionSpace, rows>(space, rows{functor}, count, options, function)
        .pack_into(offsets.data(), values.data(), values.extent(0));
  else return 0;
}

// For callers who forgot the space: one sentence, and no list of all forms.
template <class T, no_execution_space First, class... Others>
void pack_unique_rows(First const&, Others const&...) {
  static_assert(execution_space_argument<First>,
                "upsweep::pack_unique_rows: the first argument is an execution-space instance.");
}
UPSWEEP_WITHOUT_SPACE(pack_unique_rows_into)

}  // namespace upsweep
