// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/pack/detail/lists/row_errors.hpp>

#include <string>

namespace upsweep::pack::detail {

void throw_row_error(std::uint64_t found, char const* function, std::size_t row_bound) {
  if (found == 0) return;
  bool const differs = internal::error_word::code(found) == count_mismatch_code;
  auto const row = std::to_string(internal::error_word::index(found) - (differs ? behind_failures : 0));
  switch (internal::error_word::code(found)) {
    case count_mismatch_code:
      throw count_mismatch_error(std::string(function) + ": row " + row +
                                 " emitted a different number of records in the second pass; functors must be pure");
    case not_visited_code: throw precondition_error(std::string(function) + ": row " + row + " is not in visit");
    case visited_again_code:
      throw precondition_error(std::string(function) + ": row " + row + " is in visit more than once");
    case too_long_code:
      throw overflow_error(std::string(function) + ": row " + row + " makes more records than the row bound, " +
                           std::to_string(row_bound));
    default: break;
  }
  throw user_failure_error(std::string(function) + ": row " + row + " failed with code " +
                           std::to_string(internal::error_word::code(found)));
}

void throw_packing_error(std::uint64_t found, std::size_t total, std::size_t room, char const* what_has_room,
                         packing_bounds const& bounds, char const* function) {
  bool const differs = internal::error_word::code(found) == count_mismatch_code;
  if (!differs) throw_row_error(found, function, bounds.row);
  require_total(total, room, what_has_room, function);
  require_total(total, bounds.total, upper_bound_is, function);
  throw_row_error(found, function);
}

}  // namespace upsweep::pack::detail
