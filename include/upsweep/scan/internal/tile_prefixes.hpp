// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// How tiles of one launch pass on what stands before them, for kernels of other layers. The memory that this needs
// comes from access::begin_protocol().

#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>
#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>

namespace upsweep::internal {

using scan::detail::decoupled_look_back;
using scan::detail::largest_epoch;
using scan::detail::make_prefixes;
using scan::detail::prefix_bytes;

}  // namespace upsweep::internal
