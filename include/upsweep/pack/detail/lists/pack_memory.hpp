// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/monoids/saturating_plus.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/pack_options.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/internal/temporary_bytes.hpp>
#include <upsweep/scan/options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace upsweep::pack::detail {

/// Bytes of records that fused keeps in scratch for a row.
inline constexpr std::size_t row_buffer_bytes = 128;

/// Records for which fused has room in scratch for a row.
template <class T>
std::size_t records_in_scratch(pack_options const& options) {
  std::size_t const fit = std::max<std::size_t>(1, row_buffer_bytes / sizeof(T));
  return options.row_bound ? std::max<std::size_t>(1, std::min(fit, *options.row_bound)) : fit;
}

inline bool has_bound(pack_options const& options) { return options.upper_bound || options.row_bound; }

/// What both passes of two_pass go by.
inline plan_options passes_of(pack_options const& options) {
  return {options.workspace, options.label, options.visit, options.memory_budget};
}

/// Records that all rows make at most. Pre: has_bound(). Throws: overflow_error.
inline std::size_t total_bound(pack_options const& options, std::size_t rows, char const* function) {
  if (!options.row_bound) return *options.upper_bound;
  if (options.upper_bound && (rows == 0 || *options.upper_bound / rows < *options.row_bound))
    return *options.upper_bound;
  std::size_t const of_rows = internal::checked_multiply(rows, *options.row_bound, function, "rows * row_bound");
  return options.upper_bound ? std::min(*options.upper_bound, of_rows) : of_rows;
}

/// Turns counts and a 0 behind them into offsets, in their place; `total`, of the device, gets the last one, too.
/// Asynchronous. Sums saturate. With a budget by an engine of which all memory is known beforehand.
template <class ExecutionSpace>
void scan_offsets(ExecutionSpace const& space, std::size_t* offsets, std::size_t rows, std::size_t* total,
                  plan_options const& options, workspace& memory) {
  using memory_space = typename ExecutionSpace::memory_space;
  Kokkos::View<std::size_t*, memory_space, Kokkos::MemoryUnmanaged> const all(offsets, rows + 1);
  Kokkos::View<std::size_t, memory_space, Kokkos::MemoryUnmanaged> const last(total);
  auto const label = internal::inner_label(options.label, "pack_lists");
  std::uint64_t const none = 0;
  if (options.memory_budget)
    exclusive_scan(space, all, all, last, none, internal::saturating_plus{},
                   basic_scan_options<engine::two_level>{.workspace = &memory, .label = label});
  else
    exclusive_scan(space, all, all, last, none, internal::saturating_plus{},
                   scan_options{.workspace = &memory, .label = label});
}

/// Bytes at the front of a workspace that those scans take for n + 1 offsets.
template <class ExecutionSpace>
std::size_t offset_scan_bytes(plan_options const& options, std::size_t rows) {
  using state = std::uint64_t;
  if (options.memory_budget) return internal::scan_temporary_bytes<state, ExecutionSpace, engine::two_level>(rows + 1);
  return internal::scan_temporary_bytes<state, ExecutionSpace>(rows + 1);
}

/// Throws out_of_memory_error where the caller allows less than a call needs.
inline void require_budget(std::optional<std::size_t> budget, std::size_t needed, char const* function,
                           char const* what) {
  if (budget && needed > *budget)
    throw out_of_memory_error(std::string(function) + ": " + what + " needs " + std::to_string(needed) +
                              " bytes beside the result, but memory_budget is " + std::to_string(*budget));
}

}  // namespace upsweep::pack::detail
