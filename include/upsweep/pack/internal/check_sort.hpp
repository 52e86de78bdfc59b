// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/pack/detail/sort/sort_call.hpp>
#include <upsweep/pack/sort_options.hpp>

namespace upsweep::internal {

/// What upsweep::sort and sort_by_key check, in their names, for layers that sort parts of Views. Throws
/// precondition_error.
template <class ExecutionSpace, class Keys>
void check_sort(ExecutionSpace const&, sort_options const& options, Keys const& keys) {
  static_cast<void>(pack::detail::checked_sort<ExecutionSpace>(options, "sort", keys));
}
template <class ExecutionSpace, class Keys, class Values>
void check_sort(ExecutionSpace const&, sort_options const& options, Keys const& keys, Values const& values) {
  static_cast<void>(pack::detail::checked_sort<ExecutionSpace>(options, "sort_by_key", keys, values));
}

}  // namespace upsweep::internal
