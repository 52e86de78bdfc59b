// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/sequence.hpp>

#include <string>

namespace upsweep::detail {

void throw_other_extent(char const* function, char const* name, std::size_t extent, std::size_t output_extent) {
  throw precondition_error(std::string(function) + ": " + name + " has " + std::to_string(extent) + " elements, output has " +
                           std::to_string(output_extent));
}

void throw_partial_overlap(char const* function, std::int64_t bytes) {
  throw precondition_error(std::string(function) + ": input and output overlap in part (output starts " + std::to_string(bytes) +
                           " bytes after the input); give the same range for work in place, or separate ones");
}

}  // namespace upsweep::detail
