// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upsweep {

class workspace;

/// How pack_lists finds the place of every record; the result is the same. docs/pack.md says when to choose which.
enum class pack_strategy {
  automatic,        ///< fused where a bound is given and affordable; else one_pass_buffer on CPUs with buffer_records; else two_pass
  two_pass,         ///< the functor counts, then emits: two calls a row, a scan's memory beside the result
  one_pass_buffer,  ///< CPUs: each row has a buffer; rows that overflow it take a second call. GPUs: two_pass, faster there
  fused             ///< one launch that counts and emits tile by tile, into memory for an upper bound of the total
};

/// Options of the packing calls.
struct pack_options {
  upsweep::workspace* workspace = nullptr;
  std::string_view label = {};  ///< goes into the kernels' labels, in brackets
  /// The order in which rows are visited, for locality (device memory); the result does not depend on it. Every row is
  /// in it once, or a precondition_error names the first one that is not; entries that are no rows are skipped.
  /// `visits` is its length; null means 0, 1, 2, ...
  int const* visit = nullptr;
  std::int64_t visits = 0;

  pack_strategy strategy = pack_strategy::automatic;
  /// Records that a row's buffer holds; 0: as many as fit in 128 bytes, at least one, and no more than row_bound.
  std::size_t buffer_records = 0;
  std::size_t upper_bound = 0;    ///< all rows together make no more records than this; 0: not known
  std::size_t row_bound = 0;      ///< no row makes more records than this; 0: not known
  std::size_t memory_budget = 0;  ///< bytes that a call may take beside its result; 0: as many as it needs
};

}  // namespace upsweep
