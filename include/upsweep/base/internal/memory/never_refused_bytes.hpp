// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>

namespace upsweep::internal {

/// Bytes for which it is not worth while to ask the system.
inline constexpr std::size_t never_refused_bytes = std::size_t(64) << 20;

}  // namespace upsweep::internal
