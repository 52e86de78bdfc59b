// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require_reachable.hpp>

#include <string>

namespace upsweep::internal {

void require_reachable(bool reachable, char const* function, char const* name, char const* space) {
  if (!reachable)
    throw precondition_error(std::string(function) + ": " + name + " is in memory that kernels of " + space +
                             " cannot read");
}

}  // namespace upsweep::internal
