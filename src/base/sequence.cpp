// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/internal/sequence.hpp>

#include <string>

namespace upsweep::internal {

void throw_other_extent(char const* function, char const* name, std::size_t extent, std::size_t output_extent) {
  throw precondition_error(std::string(function) + ": " + name + " has " + std::to_string(extent) +
                           " elements, output has " + std::to_string(output_extent));
}

}  // namespace upsweep::internal
