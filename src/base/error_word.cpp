// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>

namespace upsweep::internal {

void throw_data_error(std::uint64_t value, std::string const& function) {
  auto const at = std::to_string(error_word::index(value));
  switch (static_cast<data_error>(error_word::code(value))) {
    case data_error::none: return;
    case data_error::negative_count: throw precondition_error(function + ": counts(" + at + ") is negative");
    case data_error::offset_overflow:
      throw overflow_error(
          function + ": offsets(" + at +
          ") does not fit in the value type of offsets (it and later ones hold the type's largest value)");
    case data_error::bad_segment_offset:
      throw precondition_error(
          function + ": segment offset " + at +
          " is wrong: the first is 0, none is less than the one before, the last is the number of elements");
    case data_error::bad_row_offset:
      throw precondition_error(
          function + ": offsets(" + at +
          ") is wrong: the first is 0, none is less than the one before, the last is the extent of rows");
    case data_error::bad_permutation: throw precondition_error(function + ": permutation(" + at + ") is no row");
  }
}

}  // namespace upsweep::internal
