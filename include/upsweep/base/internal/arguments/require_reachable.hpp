// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/optional_view.hpp>

namespace upsweep::internal {

/// Throws precondition_error for a View that kernels of a space cannot read.
void require_reachable(bool reachable, char const* function, char const* name, char const* space);

/// Refuses an optional View in memory that kernels of ExecutionSpace cannot read.
template <class ExecutionSpace, class View>
void require_reachable(optional_view<View> const& view, char const* function, char const* name) {
  require_reachable(view.template reachable_by<ExecutionSpace>(), function, name, ExecutionSpace::name());
}

}  // namespace upsweep::internal
