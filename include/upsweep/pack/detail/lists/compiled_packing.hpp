// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/lists/list_rows.hpp>
#include <upsweep/pack/detail/lists/visit_order.hpp>
#include <upsweep/pack/pack_options.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upsweep::pack::detail {

/// Bytes of a workspace: of what reserve() gives, and of the memory of protocols.
struct workspace_bytes {
  std::size_t reserved = 0, region = 0;
};

/// The steps of packing lists that know nothing of the user's functor, for an execution space. They are in
/// packing_steps.hpp, and compiled in the library: they are two thirds of what a call would cost to compile.
template <class ExecutionSpace>
struct compiled_packing {
  using offsets_view = Kokkos::View<std::size_t*, typename ExecutionSpace::memory_space>;

  /// Memory for so many offsets, where there is not enough of it, or where others hold it, too.
  /// Throws: out_of_memory_error.
  static void take_offsets(ExecutionSpace const& space, offsets_view& offsets, std::size_t count, char const* function);
  /// Turns counts and a 0 behind them into offsets, in their place; `total`, of the device, gets the last one, too.
  /// Asynchronous. Sums saturate. With a budget by an engine of which all memory is known beforehand.
  static void scan_offsets(ExecutionSpace const& space, std::size_t* offsets, std::size_t rows, std::size_t* total,
                           plan_options const& options, workspace& memory);
  /// Bytes at the front of a workspace that those scans take for n + 1 offsets.
  static std::size_t scan_bytes(plan_options const& options, std::size_t rows);

  /// The length of the longest row, to the device. Asynchronous. Pre: rows > 0.
  static void find_longest_row(ExecutionSpace const& space, std::size_t const* offsets, std::size_t rows,
                               std::size_t* longest, plan_options const& options, workspace& memory);
  static workspace_bytes longest_row_bytes(ExecutionSpace const& space, std::size_t rows);

  /// Reports the first row of [order.first, order.last) that is visited never or more than once. Pre: marks has room
  /// for visit_marks_bytes().
  static void check_visits(ExecutionSpace const& space, std::byte* marks, visit_order const& order,
                           plan_options const& options, internal::error_word const& errors);

  /// Lists into memory that is there, with one call of the functor per row where it can be (kept_lists.hpp); returns
  /// the total. Sums saturate. Pre: launches_wait<ExecutionSpace>; rows > 0.
  static std::size_t keep_lists(ExecutionSpace const& space, list_rows_calls const& calls, std::size_t rows,
                                std::string_view caller);

  /// Copies records. Waits for the instance.
  static void copy_bytes(ExecutionSpace const& space, void* to, void const* from, std::size_t bytes);

  /// The offsets of no rows.
  static void set_offsets_of_no_rows(ExecutionSpace const& space, std::size_t* offsets);

  /// Throws overflow_error for a total that has saturated. Waits for the instance then.
  static void require_countable(ExecutionSpace const& space, std::size_t const* offsets, std::size_t rows,
                                std::uint64_t total, char const* function);
};

}  // namespace upsweep::pack::detail

// A program with tuning constants of its own compiles these steps, and so do gates, which link no library.
#if defined(UPSWEEP_TUNING_HEADER) || defined(UPSWEEP_LINKS_NO_LIBRARY)
#include <upsweep/pack/detail/lists/packing_steps.hpp>
#else
namespace upsweep::pack::detail {
#define UPSWEEP_PACKING(space) extern template struct compiled_packing<space>;
UPSWEEP_FOR_EACH_BACKEND(UPSWEEP_PACKING)
#undef UPSWEEP_PACKING
}  // namespace upsweep::pack::detail
#endif
