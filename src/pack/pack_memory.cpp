// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/pack/detail/lists/pack_memory.hpp>

#include <algorithm>
#include <string>

namespace upsweep::pack::detail {

std::size_t total_bound(pack_options const& options, std::size_t rows, char const* function) {
  if (!options.row_bound) return *options.upper_bound;
  if (options.upper_bound && (rows == 0 || *options.upper_bound / rows < *options.row_bound))
    return *options.upper_bound;
  std::size_t const of_rows = internal::checked_multiply(rows, *options.row_bound, function, "rows * row_bound");
  return options.upper_bound ? std::min(*options.upper_bound, of_rows) : of_rows;
}

void require_total(std::size_t total, std::size_t bound, char const* what_has_room, char const* function) {
  if (total > bound)
    throw overflow_error(std::string(function) + ": the rows make " + std::to_string(total) + " records, but " +
                         what_has_room + " " + std::to_string(bound));
}

void require_budget(std::optional<std::size_t> budget, std::size_t needed, char const* function, char const* what) {
  if (budget && needed > *budget)
    throw out_of_memory_error(std::string(function) + ": " + what + " needs " + std::to_string(needed) +
                              " bytes beside the result, but memory_budget is " + std::to_string(*budget));
}

}  // namespace upsweep::pack::detail
