// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/optional_view.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace upsweep {

class workspace;

/// Rows in the order in which they are visited, for locality (device memory); the result does not depend on it. Every
/// row is in it once, or a precondition_error names the first one that is not; entries that are no rows are skipped.
/// Memory that the kernels cannot read is a precondition_error.
/// Not given: 0, 1, 2, ...
using optional_visit_order = optional_view<Kokkos::View<int const*, Kokkos::AnonymousSpace>>;

/// Options of calls that make or use a plan: count_lists, count_lists_into, emit_lists, emit_lists_into.
struct plan_options {
  upsweep::workspace* workspace = nullptr;
  std::string_view label = {};  ///< goes into the kernels' labels, in brackets
  optional_visit_order visit = {};
  /// Bytes that a call may take beside its result; not given: as many as it needs.
  std::optional<std::size_t> memory_budget = {};
};

/// How pack_lists finds the place of every record; the result is the same. docs/pack.md says when to choose which.
enum class pack_strategy {
  automatic,  ///< fused where a bound is given (pack_lists_into on CPUs needs none) and affordable, and no visit order
  two_pass,   ///< the functor counts, then emits: two calls a row, a scan's memory beside the result
  /// one launch that counts and emits tile by tile, into memory for an upper bound; refused with visit
  fused
};

/// Options of pack_lists and pack_lists_into.
struct pack_options {
  upsweep::workspace* workspace = nullptr;
  std::string_view label = {};  ///< goes into the kernels' labels, in brackets
  optional_visit_order visit = {};

  pack_strategy strategy = pack_strategy::automatic;
  /// All rows together make no more records than this, and no row more than that. Promises, to which every strategy
  /// holds the functor: more are an overflow_error that names the total, or the row.
  std::optional<std::size_t> upper_bound = {};
  std::optional<std::size_t> row_bound = {};
  /// Bytes that a call may take beside its result; not given: as many as it needs.
  std::optional<std::size_t> memory_budget = {};
};

/// Options of calls that sort rows: sort_and_unique_rows, pack_unique_rows.
struct unique_rows_options {
  upsweep::workspace* workspace = nullptr;
  std::string_view label = {};  ///< goes into the kernels' labels, in brackets
  /// Bytes that a call may take beside its result; not given: as many as it needs.
  std::optional<std::size_t> memory_budget = {};
};

}  // namespace upsweep
