// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/pack/detail/unique_rows/unique_rows_call.hpp>
#include <upsweep/pack/lists.hpp>
#include <upsweep/pack/pack_options.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace upsweep {

namespace pack::detail {

/// The rules for a table of rows.
template <class ExecutionSpace, class Offsets, class Values>
constexpr void require_table() {
  static_assert(Kokkos::is_execution_space_v<ExecutionSpace>,
                "upsweep: the first argument is an execution-space instance.");
  static_assert(std::is_integral_v<typename Offsets::value_type> && compat::is_contiguous_rank1<Offsets>,
                "upsweep::sort_and_unique_rows: offsets is a contiguous View of an integer type.");
  static_assert(is_row_value<typename Values::non_const_value_type> && compat::is_contiguous_rank1<Values>,
                "upsweep::sort_and_unique_rows: values is a contiguous View of integers of up to 64 bits.");
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Values::memory_space>::accessible &&
                    Kokkos::SpaceAccessibility<ExecutionSpace, typename Offsets::memory_space>::accessible,
                "upsweep::sort_and_unique_rows: the table cannot be read by kernels of this execution space.");
}

/// Memory of the caller's that rows of T go to. Bodies of calls ask, so that one error is enough.
template <class Offsets>
concept offsets_output =
    std::is_same_v<typename Offsets::value_type, std::size_t> && compat::is_contiguous_rank1<Offsets>;
template <class Values, class T>
concept values_output =
    std::is_same_v<typename Values::value_type, std::remove_const_t<T>> && compat::is_contiguous_rank1<Values>;

/// The rules for it.
template <class ExecutionSpace, class T, class Offsets, class Values>
constexpr void require_row_outputs() {
  static_assert(offsets_output<Offsets>, "upsweep: the offsets of the result are a contiguous View of std::size_t.");
  static_assert(values_output<Values, T>,
                "upsweep: the values of the result are a contiguous View of the rows' type that can be assigned.");
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Values::memory_space>::accessible &&
                    Kokkos::SpaceAccessibility<ExecutionSpace, typename Offsets::memory_space>::accessible,
                "upsweep: offsets and values cannot be written by kernels of this execution space.");
}

/// The call for a table, its offsets checked.
template <class ExecutionSpace, class Offsets, class Values>
auto table_call(ExecutionSpace const& space, Offsets const& offsets, Values const& values,
                unique_rows_options const& options, char const* function) {
  require_table<ExecutionSpace, Offsets, Values>();
  using T = typename Values::non_const_value_type;
  using rows = table_rows<T, typename Offsets::non_const_value_type>;
  internal::require(offsets.extent(0) >= 1, function, "offsets has no entries; it needs one more than rows");
  return unique_rows_call<T, ExecutionSpace, rows>(space, rows{values.data(), offsets.data()}, offsets.extent(0) - 1,
                                                   options, function);
}

}  // namespace pack::detail

/// The rows of a table sorted in ascending order, each value once: offsets 0 3 3 5 and values 7 2 7 5 4 give offsets
/// 0 2 2 4 and values 2 7 4 5. So rows with repetitions, the neighbours of a mesh's nodes element by element for
/// instance, become the graph of a sparse matrix, which has exactly the memory that it needs.
/// `auto graph = sort_and_unique_rows(space, offsets, values);`
///
/// Pre: offsets, a contiguous View of integers, has one entry more than there are rows: the first is 0, none is less
///   than the one before, none is more than the extent of values, a contiguous View of integers. Neither is written.
/// Cost: a row of up to 16 KiB on CPUs, 4 KiB on GPUs, is read and sorted twice, to be counted and to be stored, in
///   registers (up to 64 values), the first-level cache or scratch; nothing but the result is written, and no memory
///   taken beside a scan's of n + 1 offsets. Longer rows are sorted once in memory of their own, as long as they are
///   and allocated in each call, with a workspace too: up to 2^17 values by a thread of a CPU or a team of a GPU, more
///   by the library's sort, one row after the other. Networks take n log2(n)^2 / 4 comparisons of n values.
/// Order: the result is one, on every backend, number of threads and run.
/// Sync: waits for the instance.
/// Throws: precondition_error (no offsets, workspace of another instance; a wrong offset, naming it and its row, before
///   anything is written), out_of_memory_error (memory_budget, too).
/// Source: K. E. Batcher, *Sorting networks and their applications* (1968).
template <execution_space_argument ExecutionSpace, view_of_rank_1 Offsets, view_of_rank_1 Values>
lists<typename Values::non_const_value_type, typename ExecutionSpace::memory_space> sort_and_unique_rows(
    ExecutionSpace const& space, Offsets const& offsets, Values const& values,
    unique_rows_options const& options = {}) {
  auto call = pack::detail::table_call(space, offsets, values, options, "sort_and_unique_rows");
  call.check_offsets(offsets.data(), values.extent(0));
  return call.pack();
}

/// The same of lists.
template <execution_space_argument ExecutionSpace, class T, class MemorySpace>
lists<T, typename ExecutionSpace::memory_space> sort_and_unique_rows(ExecutionSpace const& space,
                                                                     lists<T, MemorySpace> const& rows,
                                                                     unique_rows_options const& options = {}) {
  return sort_and_unique_rows(space, rows.offsets, rows.values, options);
}

/// The same into memory of the caller's; returns the number of values. out_offsets: a View of std::size_t with as many
/// entries as offsets; out_values: a contiguous View with room for all values that result, or more.
/// Aliasing: none of the four Views may overlap another one, but offsets and values, which are only read.
/// Throws: as sort_and_unique_rows; precondition_error for extents and overlap; overflow_error naming the total where
///   out_values has no room for it: out_offsets is right then, and nothing is written to out_values.
template <execution_space_argument ExecutionSpace, view_of_rank_1 Offsets, view_of_rank_1 Values,
          view_of_rank_1 OutOffsets, view_of_rank_1 OutValues>
std::size_t sort_and_unique_rows_into(ExecutionSpace const& space, Offsets const& offsets, Values const& values,
                                      OutOffsets const& out_offsets, OutValues const& out_values,
                                      unique_rows_options const& options = {}) {
  static constexpr char const* function = "sort_and_unique_rows_into";
  using T = typename Values::non_const_value_type;
  pack::detail::require_row_outputs<ExecutionSpace, T, OutOffsets, OutValues>();
  auto call = pack::detail::table_call(space, offsets, values, options, function);
  internal::require(out_offsets.extent(0) == offsets.extent(0), function, [&] {
    return "out_offsets has " + std::to_string(out_offsets.extent(0)) + " entries, offsets has " +
           std::to_string(offsets.extent(0));
  });
  internal::require_apart(offsets, out_offsets, function, "offsets", "out_offsets");
  internal::require_apart(offsets, out_values, function, "offsets", "out_values");
  internal::require_apart(values, out_offsets, function, "values", "out_offsets");
  internal::require_apart(values, out_values, function, "values", "out_values");
  internal::require_apart(out_offsets, out_values, function, "out_offsets", "out_values");
  call.check_offsets(offsets.data(), values.extent(0));
  if constexpr (pack::detail::offsets_output<OutOffsets> && pack::detail::values_output<OutValues, T>)
    return call.pack_into(out_offsets.data(), out_values.data(), out_values.extent(0));
  else return 0;
}

UPSWEEP_WITHOUT_SPACE(sort_and_unique_rows)
UPSWEEP_WITHOUT_SPACE(sort_and_unique_rows_into)

}  // namespace upsweep
