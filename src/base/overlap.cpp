// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>

#include <string>

namespace upsweep::internal {
namespace {

std::string bytes_between(byte_range a, byte_range b) {
  return std::to_string(static_cast<std::int64_t>(b.begin - a.begin));
}

}  // namespace

void throw_overlap(char const* function, char const* name_a, char const* name_b, byte_range a, byte_range b) {
  std::string const first = name_a, second = name_b;
  throw precondition_error(std::string(function) + ": " + first + " and " + second + " overlap (" + second +
                           " starts " + bytes_between(a, b) + " bytes after " + first + "); give separate ranges");
}

void throw_partial_overlap(char const* function, byte_range in, byte_range out) {
  throw precondition_error(
      std::string(function) + ": input and output overlap in part or in another layout (output starts " +
      bytes_between(in, out) + " bytes after the input); give the same View for work in place, or separate ones");
}

}  // namespace upsweep::internal
