// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/pack/pack_options.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

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

/// A bound that was not given.
inline constexpr std::size_t no_bound = std::numeric_limits<std::size_t>::max();

/// What the caller promises of the numbers of records; every strategy holds rows to it.
struct packing_bounds {
  std::size_t row = no_bound, total = no_bound;

  static packing_bounds of(pack_options const& options) {
    return {options.row_bound.value_or(no_bound), options.upper_bound.value_or(no_bound)};
  }
};

/// Throws overflow_error for more records than `bound`, which is `what_has_room`.
void require_total(std::size_t total, std::size_t bound, char const* what_has_room, char const* function);

/// What is said of a total that is too large for the bound.
inline constexpr char const* upper_bound_is = "the upper bound is";

/// Records that all rows make at most. Pre: has_bound(). Throws: overflow_error.
std::size_t total_bound(pack_options const& options, std::size_t rows, char const* function);

/// Throws out_of_memory_error where the caller allows less than a call needs.
void require_budget(std::optional<std::size_t> budget, std::size_t needed, char const* function, char const* what);

}  // namespace upsweep::pack::detail
