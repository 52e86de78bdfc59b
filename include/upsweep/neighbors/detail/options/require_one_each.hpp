// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/require_reachable.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep::neighbors::detail {

/// Throws precondition_error, in the name of `function`, where an option is given that does not have n entries, or that
/// kernels of ExecutionSpace cannot read.
template <class ExecutionSpace, class OptionalView>
void require_one_each(OptionalView const& view, std::int64_t n, char const* function, char const* name) {
  internal::require_reachable<ExecutionSpace>(view, function, name);
  internal::require(!view.given() || view.extent(0) == static_cast<std::size_t>(n), function, [&] {
    return std::string(name) + " has " + std::to_string(view.extent(0)) + " entries for " + std::to_string(n) +
           " particles";
  });
}

}  // namespace upsweep::neighbors::detail
