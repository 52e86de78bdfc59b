// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/pack/detail/sort/key_order.hpp>

namespace upsweep::internal {

/// The order of keys that sorts have, for layers that compare keys with it.
using pack::detail::key_order;
using pack::detail::radix_key;

}  // namespace upsweep::internal
