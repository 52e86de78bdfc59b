// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/detail/rows/move_ranges.hpp>
#include <upsweep/mpi/detail/rows/row_route.hpp>
#include <upsweep/mpi/detail/rows/row_shares.hpp>
#include <upsweep/mpi/detail/rows/rows.hpp>

#include <cstddef>
#include <tuple>

namespace upsweep::mpi::detail {

/// The whole call: agrees on arguments, then gives every rank its share by weight.
template <class ExecutionSpace, class First, class... Others>
rank_offset redistribute_shares(communicator const& comm, ExecutionSpace const& space, char const* function,
                                double weight, First& first, Others&... others) {
  internal::fingerprint arguments;
  arguments.text(function).value(1 + sizeof...(Others));
  add_view(arguments, first);
  (add_view(arguments, others), ...);
  failure local;
  try {
    [[maybe_unused]] std::size_t which = 1;
    (require_rows(others, which++, first.extent(0), "the first", function), ...);
  } catch (...) {
    local = current_failure();
  }
  auto const plan = plan_shares(comm, local, arguments, first.extent(0), weight, function);
  if (plan.ranges.moves)
    std::tie(first, others...) = move_ranges(comm, space, plan.ranges, function, {}, first, others...);
  return plan.share;
}

}  // namespace upsweep::mpi::detail
