// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>

namespace upsweep::internal {

std::string describe_array(char const* name, std::size_t n) {
  return std::string(name) + " (" + std::to_string(n) + " elements)";
}

void throw_cannot_allocate(char const* function, std::size_t bytes, std::string const& what, char const* memory_space) {
  throw out_of_memory_error(std::string(function) + ": " + std::to_string(bytes) + " bytes for " + what +
                            " cannot be allocated in " + memory_space);
}

}  // namespace upsweep::internal
