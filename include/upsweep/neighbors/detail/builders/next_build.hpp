// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <atomic>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// Another number for each build of a list, from 1 on.
inline std::uint64_t next_build() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace upsweep::neighbors::detail
