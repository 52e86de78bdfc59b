// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/optional_view.hpp>

#include <string>

namespace upsweep::internal {

/// Refuses an optional View in memory that kernels of ExecutionSpace cannot read.
template <class ExecutionSpace, class View>
void require_reachable(optional_view<View> const& view, char const* function, char const* name) {
  require(view.template reachable_by<ExecutionSpace>(), function,
          std::string(name) + " is in memory that kernels of " + ExecutionSpace::name() + " cannot read");
}

}  // namespace upsweep::internal
