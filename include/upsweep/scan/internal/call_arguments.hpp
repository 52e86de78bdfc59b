// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What callers give behind the outputs of a scan (into{total}, an initial value, a monoid), for scans of other layers,
// which take the same in the same order and say the same sentences for mistakes.

#include <upsweep/scan/detail/calls/call_arguments.hpp>
#include <upsweep/scan/detail/calls/scan_call.hpp>

namespace upsweep::internal {

using scan::detail::argument_of;
using scan::detail::has_tag;
using scan::detail::initial_value_role;
using scan::detail::left_out;
using scan::detail::make_initial_value;
using scan::detail::mistake;
using scan::detail::mistake_in_call;
using scan::detail::mistake_in_sequences;
using scan::detail::monoid_role;
using scan::detail::say;
using scan::detail::total_role;

}  // namespace upsweep::internal
